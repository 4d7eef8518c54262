import type { CallToolResult, fromJsonSchema, McpServer, ServerContext } from "@modelcontextprotocol/server";
import { Ajv2020 } from "ajv/dist/2020.js";
import { LEVELS, type Subject } from "../../../suites/core/contract/claims.ts";
import { readClauseList } from "../../../suites/core/contract/clause-list.ts";
import { visible } from "../../../suites/core/text/visible-text.ts";
import { catalogueData } from "../../certification/catalogue.ts";
import { type ExplanationSource, explain } from "../../certification/explain.ts";
import type { Interruption } from "../../certification/interruption.ts";
import { nearest } from "../../nearest.ts";
import { NAME, VERSION } from "../../package.ts";
import { contextOf } from "../../report/model.ts";
import { readReport } from "../../report/statement/verification.ts";
import { renderTerminal } from "../../report/terminal.ts";
import { failureInFull } from "../../report/text/failure-in-full.ts";
import { painter } from "../../report/text/paint.ts";
import { visibleReport } from "../../report/text/visible-report.ts";
import { schemaMistake } from "../../settings/schema-mistake.ts";
import { suiteOf } from "../../suites.ts";
import { UsageError } from "../../usage-error.ts";
import { type LastRun, type Operator, type RunArguments, runChecks, runSettings } from "./run-tool.ts";

type Schema = Parameters<typeof fromJsonSchema>[0];

const ids = (description: string): Schema => ({
  type: "array",
  items: { type: "string", minLength: 1 },
  minItems: 1,
  description,
});
const text = (description: string): Schema => ({ type: "string", minLength: 1, description });
const object = (properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema => ({
  type: "object",
  properties,
  required: [...required],
  additionalProperties: false,
});

const SCHEMAS = {
  list_checks: object({
    subject: {
      type: "string",
      enum: ["server", "receiver", "client"],
      description: "the kind of implementation under test (default: server)",
    },
    only: ids("ids, groups, clause ids, globs of them, MUST or SHOULD, or words of a title or a clause"),
  }),
  explain: object({ id: text("id of a check, such as health.ok, or of a clause, such as LIST-9") }, "id"),
  run: object({
    url: text("base URL of the service (default: the target of the settings, or the embedded server)"),
    control_url: text("address of the service's control interface"),
    only: ids("only these checks: ids, groups, clause ids, globs, MUST or SHOULD, operations, or webhooks"),
    claims: {
      type: "array",
      items: { type: "string", enum: [...LEVELS.server] },
      minItems: 1,
      description: "levels to certify (default: all)",
    },
    seed: {
      type: "integer",
      minimum: 0,
      description: "seed of an earlier run, to repeat its random choices",
    },
    bail: { type: "integer", minimum: 1, description: "end the run after this number of failed MUST checks" },
    report: text("folder to write the report's files to"),
  }),
  read_report: object({
    report: text("a report's folder, or its report.json (default: the last run of this session)"),
    check: text("id of a check, to see it with its exchange"),
  }),
};

/** Validates a tool's arguments. Its error message has one line. */
const validator: NonNullable<Parameters<typeof fromJsonSchema>[1]> = {
  getValidator<T>(schema: Schema) {
    const isRight = new Ajv2020({ strict: false, verbose: true, validateSchema: false }).compile<T>(schema);
    return (input: unknown) => {
      if (isRight(input)) return { valid: true, data: input, errorMessage: undefined };
      const errorMessage = schemaMistake(isRight.errors?.[0], "is not an argument");
      return { valid: false, data: undefined, errorMessage };
    };
  },
};

/**
 * A line for each check, without its clauses: the lines of a whole suite have some 10,000 tokens, and with clauses they
 * would have ten times as many.
 */
async function listChecks({
  subject = "server",
  only = [],
}: {
  readonly subject?: Subject;
  readonly only?: readonly string[];
}): Promise<string> {
  const { checks } = catalogueData(await suiteOf[subject](), only);
  return checks.map(({ id, severity, title }) => `${id} (${severity}): ${title}`).join("\n");
}

const explanationOf: Readonly<Record<Subject, () => Promise<ExplanationSource>>> = {
  server: async () => (await import("../conform/explanation.ts")).serverExplanation,
  receiver: async () => (await import("../receiver/explanation.ts")).receiverExplanation,
  client: async () => (await import("../client/explanation.ts")).clientExplanation,
};

/** Explains a check or a clause of any suite. @throws UsageError for an unknown id */
async function explainId({ id }: { readonly id: string }): Promise<string> {
  const suites = await Promise.all([suiteOf.server(), suiteOf.receiver(), suiteOf.client()]);
  const [server] = suites;
  const suite = suites.find((one) => [...one.checks, ...one.clauses].some((known) => known.id === id));
  const { subject } = suite ?? server;
  return explain(suite ?? server, id, await explanationOf[subject]());
}

interface ReportArguments {
  readonly report?: string;
  readonly check?: string;
}

/**
 * The text of a report: the run as on the terminal, or a check with its evidence.
 * @throws UsageError if there is no report, or the report doesn't contain the check
 */
async function reportText({ report: path, check: id }: ReportArguments, last: LastRun | undefined) {
  const { report, ...repeated } = path === undefined ? { ...last } : readReport(path);
  if (!report)
    throw new UsageError("no run in this session: give the argument report, with a report's folder");
  const suite = await suiteOf[report.suite.subject]();
  const context = { ...contextOf(report, suite, readClauseList().parts), ...repeated };
  const paint = painter(false);
  if (id === undefined) return renderTerminal(report, context, paint);
  const { checks } = visibleReport(report);
  const check = checks.find((one) => one.id === id);
  if (!check) {
    const meant = nearest(
      id,
      checks.map((one) => one.id),
    );
    throw new UsageError(
      `the report has no check ${id}${meant === undefined ? "" : `; did you mean ${meant}?`}`,
    );
  }
  if (check.exchanges !== undefined || check.status === "failed") return failureInFull(check, context, paint);
  return `${check.id}: ${check.status}${check.message === undefined ? "" : `: ${check.message}`}`;
}

/** The official SDK, an optional peer dependency, because few users need it. */
type Sdk = Pick<typeof import("@modelcontextprotocol/server"), "McpServer" | "fromJsonSchema">;

/** The state that the tools share. */
export interface Session extends Operator {
  /** Resolves when the user or the end of the connection ends a run. */
  readonly ended: Interruption;
  /** Settles when the pending run has cleaned up. */
  running?: Promise<unknown> | undefined;
  last?: LastRun;
}

const toolResult = async (work: () => Promise<string>): Promise<CallToolResult> => {
  try {
    return { content: [{ type: "text", text: visible(await work()) }] };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { content: [{ type: "text", text: visible(error.message) }], isError: true };
  }
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Sends progress messages to a client that requested them. Without them, clients give up after a minute. */
function progressOf({ mcpReq }: ServerContext): (line: string) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message: visible(message) };
    // A client that has disconnected needs no progress messages.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

/** The suite as four tools. */
export function agentServer({ McpServer, fromJsonSchema }: Sdk, session: Session): McpServer {
  const server = new McpServer({ name: NAME, version: VERSION });
  server.registerTool(
    "list_checks",
    {
      description: "Lists the checks of the suite, one per line. The argument only selects some of them.",
      inputSchema: fromJsonSchema<Parameters<typeof listChecks>[0]>(SCHEMAS.list_checks, validator),
      annotations: { readOnlyHint: true },
    },
    (asked) => toolResult(() => listChecks(asked)),
  );
  server.registerTool(
    "explain",
    {
      description:
        "Explains a check (what the specification says, what is sent, what fails, usual causes) or a clause.",
      inputSchema: fromJsonSchema<Parameters<typeof explainId>[0]>(SCHEMAS.explain, validator),
      annotations: { readOnlyHint: true },
    },
    (asked) => toolResult(() => explainId(asked)),
  );
  server.registerTool(
    "run",
    {
      description:
        "Runs the checks on a server and returns the verdict, the causes of failures and the first failures in full. Takes from seconds to minutes.",
      inputSchema: fromJsonSchema<RunArguments>(SCHEMAS.run, validator),
    },
    (asked, context) =>
      toolResult(async () => {
        if (session.running)
          throw new UsageError("another run is in progress: wait until it ends, or cancel it");
        const settings = runSettings(session, asked);
        const first = Promise.race([aborted(context.mcpReq.signal), session.ended.first]);
        const work = runChecks(settings, { ...session.ended, first }, progressOf(context));
        session.running = work.catch(() => {});
        try {
          session.last = await work;
          return (await work).text;
        } finally {
          session.running = undefined;
        }
      }),
  );
  server.registerTool(
    "read_report",
    {
      description: "Reads a report: verdict, causes and failures, or one check with its exchange.",
      inputSchema: fromJsonSchema<ReportArguments>(SCHEMAS.read_report, validator),
      annotations: { readOnlyHint: true },
    },
    (asked) => toolResult(() => reportText(asked, session.last)),
  );
  return server;
}
