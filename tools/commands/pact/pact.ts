import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { EXIT_CODES, type Verdict } from "../../../suites/core/grading/grade.ts";
import { jsonExcess, member, parseJson } from "../../../suites/core/json.ts";
import { ambiguousJson, jsonBytesFault } from "../../../suites/core/json-bytes.ts";
import { type PactFile, type PactResult, verifyPact } from "../../../suites/server/pact/verify.ts";
import { Session } from "../../../suites/server/session/session.ts";
import { painter } from "../../report/text/paint.ts";
import type { Output } from "../../terminal/output.ts";
import { readUntrusted } from "../../untrusted-file.ts";
import { UsageError } from "../../usage-error.ts";
import { openTarget, secretsOf } from "../conform/open-target.ts";
import { preflight } from "../conform/preflight.ts";
import type { ConformSettings } from "../conform/settings.ts";

/** The contract of a point of sale. The tests in suites/server/pact write it. */
const OWN_PACT = new URL("../../../suites/server/pact/point-of-sale.json", import.meta.url);

const ADVICE = "give a pact file";

const PARTY = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
const TEXTS = { type: "array", items: { type: "string" } };
const INTERACTIONS = {
  type: "array",
  items: {
    type: "object",
    required: ["description"],
    properties: {
      description: { type: "string" },
      type: { type: "string" },
      providerStates: { type: "array", items: PARTY },
      request: {
        type: "object",
        properties: {
          path: { type: "string" },
          headers: { type: "object", additionalProperties: { anyOf: [{ type: "string" }, TEXTS] } },
        },
      },
    },
  },
};

/** Validates the parts of a pact file that the command uses. */
const isPact = new Ajv2020({ allowUnionTypes: true, validateSchema: false }).compile<PactFile>({
  type: "object",
  required: ["consumer", "provider"],
  properties: { consumer: PARTY, provider: PARTY, interactions: INTERACTIONS, messages: INTERACTIONS },
  anyOf: [{ required: ["interactions"] }, { required: ["messages"] }],
});

/**
 * Reads a contract.
 * @param file the contract's path; undefined for the contract of a point of sale
 * @throws UsageError if the file can't be read, isn't a contract, or needs plugins
 */
function readPact(file: string | undefined): PactFile {
  const bytes = file === undefined ? readFileSync(OWN_PACT) : readUntrusted(file, ADVICE);
  const text = bytes.toString();
  const refuse = (why: string) => new UsageError(`--pact ${file} isn't a pact file: ${why}`);
  const excess = jsonExcess(text);
  if (excess !== undefined) throw refuse(excess);
  const fault = jsonBytesFault(bytes)?.kind ?? ambiguousJson(text, parseJson(text));
  if (fault !== undefined) throw refuse(`the file ${fault}`);
  const data = parseJson(text);
  const plugins = member(data, "metadata", "plugins");
  if (Array.isArray(plugins) && plugins.length > 0)
    throw new UsageError(
      `--pact ${file} needs plugins, which the suite doesn't run because they are programs`,
    );
  if (isPact(data)) return data;
  const [error] = isPact.errors ?? [];
  throw refuse(`${error?.instancePath || "the file"} ${error?.message ?? "isn't a contract"}`);
}

/**
 * Verifies a service against a consumer's contract.
 * @param interrupted resolves when the user ends it early
 * @returns the exit code, with the same meaning as for `conform`
 */
export async function verifyContract(
  settings: ConformSettings,
  file: string | undefined,
  output: Output,
  interrupted: Promise<void>,
): Promise<number> {
  const pact = readPact(file);
  await import("@pact-foundation/pact").catch(() => {
    throw new UsageError(
      "contracts need the package @pact-foundation/pact: npm install --save-dev @pact-foundation/pact@17",
    );
  });
  const redact = secretsOf(settings);
  const target = await openTarget(settings, redact);
  try {
    redact.add(target.settings.control?.token);
    await preflight(target.settings, redact, interrupted);
    const ending = new AbortController();
    void interrupted.then(() => ending.abort());
    output.line(
      `Contract of ${pact.consumer.name} with ${pact.provider.name}, on ${target.settings.url}${target.remark}`,
    );
    const session = await Session.open(target.settings, { receiver: true, redact });
    try {
      const show = (line: string) => output.result(redact.text(line));
      const result = await verifyPact(pact, session, show, ending.signal);
      // Pact reports no result before it has verified the whole contract.
      if (ending.signal.aborted) output.result("Interrupted: no interaction was verified.");
      else for (const line of linesOf(result)) output.result(redact.text(line));
      return printVerdict(ending.signal.aborted ? undefined : result, output);
    } finally {
      await session.close();
    }
  } finally {
    await target.close();
  }
}

function linesOf({ notVerified, failure, withoutToken }: PactResult): string[] {
  return [
    ...notVerified.map(({ description, why }) => `Not verified: ${description}: ${why}`),
    ...(failure === undefined ? [] : [`FAILED: ${failure}; see the details above`]),
    ...withoutToken.map(
      (description) =>
        `"${description}" was sent without a token: give its request the header "authorization: Bearer …" in the contract`,
    ),
  ];
}

/** @param result undefined if the verification was interrupted */
function printVerdict(result: PactResult | undefined, output: Output): number {
  const verdict = verdictOn(result);
  const style = verdict === "CONFORMANT" ? "green" : verdict === "INCOMPLETE" ? "yellow" : "red";
  const words = [`${painter(output.colours)(["bold", style], verdict)}  (exit ${EXIT_CODES[verdict]})`];
  if (result) words.push(countsOf(result.verified, result.failed, result.notVerified.length));
  output.result(words.join("  "));
  return EXIT_CODES[verdict];
}

function verdictOn(result: PactResult | undefined): Verdict {
  if (result?.failure !== undefined) return "NONCONFORMANT";
  return result && result.notVerified.length === 0 && result.verified > 0 ? "CONFORMANT" : "INCOMPLETE";
}

function countsOf(verified: number, failed: number, notVerified: number): string {
  const fails = failed === 0 ? [] : [`${failed} failed`];
  // Next to a failure, "0 passed" would look like a success.
  const passes = verified === 0 && failed > 0 ? [] : [`${verified} passed`];
  return `interactions: ${[...fails, ...passes, `${notVerified} not verified`].join(", ")}`;
}
