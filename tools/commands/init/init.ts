import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { stringify } from "yaml";
import { commandLine, commandWith } from "../../../suites/core/command-line.ts";
import { textOf } from "../../../suites/core/json.ts";
import { NAME, VERSION } from "../../package.ts";
import { clientSecret, controlToken } from "../../settings/credential.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { writeWhole } from "../../whole-file.ts";
import { openTarget, secretsOf } from "../conform/open-target.ts";
import { preflight } from "../conform/preflight.ts";
import { conformSettings } from "../conform/settings.ts";

export interface InitFlags {
  url?: string;
  controlUrl?: string;
  clientId?: string;
  pairingCode?: string[];
}

/** Asks the user. Secrets aren't shown while they are typed. */
type Questions = (question: string, options?: { readonly secret?: boolean }) => Promise<string>;

const FILE = "conform.yaml";
const CONTROL_TOKEN = "CONFORM_CONTROL_TOKEN";
const CLIENT_SECRET = "CONFORM_CLIENT_SECRET";
const SCHEMA = "dist/tools/settings/conform.schema.json";

export function terminalQuestions(): Questions {
  return async (question, { secret = false } = {}) => {
    const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({
      input: process.stdin,
      output: secret ? hidden : process.stdout,
      terminal: secret,
    });
    // The terminal doesn't echo now, so the question is written here.
    process.stdout.write(question);
    try {
      return (await lines.question("")).trim();
    } finally {
      lines.close();
      if (secret) process.stdout.write("\n");
    }
  };
}

interface Answers {
  readonly url: string;
  readonly controlUrl?: string;
  readonly clientId?: string;
  readonly pairingCode?: string[];
  /** The variable that holds the secret, and its value. */
  readonly secret: readonly [name: string, value: string];
}

async function answersFrom(
  flags: InitFlags,
  environment: NodeJS.ProcessEnv,
  questions: Questions | undefined,
): Promise<Answers> {
  const ask = async (given: string | undefined, flag: string, question: string, secret = false) => {
    if (given !== undefined && given !== "") return given;
    if (!questions) throw new UsageError(`init needs ${flag}: it asks only at a terminal`);
    const answer = await questions(question, { secret });
    if (answer === "") throw new UsageError(`init needs ${flag}`);
    return answer;
  };
  const url = await ask(flags.url ?? environment.CONFORM_URL, "--url", "Address of the service: ");
  const isDecided = flags.controlUrl !== undefined || flags.clientId !== undefined || !questions;
  const controlUrl =
    flags.controlUrl ??
    (isDecided
      ? undefined
      : (await questions("Address of its control interface (empty: none): ")) || undefined);
  if (controlUrl !== undefined) {
    const token = await ask(environment[CONTROL_TOKEN], CONTROL_TOKEN, "Its token: ", true);
    return { url, controlUrl, secret: [CONTROL_TOKEN, controlToken(token)] };
  }
  const clientId = await ask(flags.clientId, "--control-url or --client-id", "An integrator's client id: ");
  const secret = await ask(environment[CLIENT_SECRET], CLIENT_SECRET, "Its secret: ", true);
  const codes =
    flags.pairingCode ??
    (await questions?.("Unused pairing codes, with commas (empty: none): "))?.split(",") ??
    [];
  const pairingCode = codes.map((code) => code.trim()).filter((code) => code !== "");
  return { url, clientId, pairingCode, secret: [CLIENT_SECRET, clientSecret(secret, CLIENT_SECRET)] };
}

const schemaLine = (): string => {
  const installed = `./node_modules/${NAME}/${SCHEMA}`;
  return `# yaml-language-server: $schema=${existsSync(installed) ? installed : `https://unpkg.com/${NAME}@${VERSION}/${SCHEMA}`}`;
};

/** The settings file. Secrets are references to environment variables. */
function settingsFile({ url, controlUrl, clientId, pairingCode = [], secret: [variable] }: Answers): string {
  const settings = {
    url,
    ...(controlUrl !== undefined && { control: { url: controlUrl, token: `\${${variable}}` } }),
    ...(clientId !== undefined && {
      credentials: [{ client_id: clientId, client_secret: `\${${variable}}` }],
    }),
    ...(pairingCode.length > 0 && { pairing_codes: pairingCode }),
  };
  return `${schemaLine()}\n${stringify(settings)}`;
}

/**
 * Tests the answers on the service, and writes conform.yaml.
 * @param questions undefined without a terminal
 * @throws UsageError in one line; then nothing is written
 */
export async function init(
  flags: InitFlags,
  environment: NodeJS.ProcessEnv,
  output: Output,
  questions: Questions | undefined,
): Promise<void> {
  if (existsSync(FILE)) throw new UsageError(`${FILE} exists already: change it, or move it away first`);
  const answers = await answersFrom(flags, environment, questions);
  const { url, controlUrl, clientId, pairingCode, secret } = answers;
  const [variable, value] = secret;
  const settings = conformSettings(
    {
      url,
      ...(controlUrl !== undefined && { controlUrl, controlToken: value }),
      ...(clientId !== undefined && { clientId: [clientId], clientSecret: [value] }),
      ...(pairingCode && { pairingCode }),
    },
    {},
  );
  const target = await openTarget(settings);
  const { version = "unknown", latencyMs } = await preflight(target.settings, secretsOf(settings));
  try {
    writeWhole(FILE, settingsFile(answers));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? textOf(error.code) : "unwritable";
    throw new UsageError(`${FILE} can't be written (${code}): run init in a writable folder`);
  }
  output.result(
    `${target.settings.url} answers in ${Math.ceil(latencyMs)} ms (version ${version}), and accepts the ${controlUrl === undefined ? "credentials" : "token"}.`,
  );
  output.result(`${FILE} is written.${environment[variable] ? "" : ` Before a run: export ${variable}=…`}`);
  output.result(
    `Certify with: ${commandLine("conform")}\nWhile you build: ${commandWith("conform", "--bail")} ends at the first failure.`,
  );
}
