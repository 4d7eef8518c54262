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
import { writeFileAtomically } from "../../whole-file.ts";
import { openTarget, secretsOf } from "../conform/open-target.ts";
import { preflight } from "../conform/preflight.ts";
import { conformSettings } from "../conform/settings.ts";

export interface InitFlags {
  url?: string;
  controlUrl?: string;
  clientId?: string;
  pairingCode?: string[];
}

/** Asks the user a question. A secret answer isn't shown while it is typed. */
type Ask = (question: string, options?: { readonly secret?: boolean }) => Promise<string>;

const FILE = "conform.yaml";
const CONTROL_TOKEN = "CONFORM_CONTROL_TOKEN";
const CLIENT_SECRET = "CONFORM_CLIENT_SECRET";
const SCHEMA = "dist/tools/settings/conform.schema.json";

export const askOnTerminal: Ask = async (question, { secret = false } = {}) => {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: secret ? hidden : process.stdout,
    terminal: secret,
  });
  // For a secret, readline's output is discarded, so the question is written directly.
  process.stdout.write(question);
  try {
    return (await lines.question("")).trim();
  } finally {
    lines.close();
    if (secret) process.stdout.write("\n");
  }
};

interface Answers {
  readonly url: string;
  readonly controlUrl?: string;
  readonly clientId?: string;
  readonly pairingCode?: string[];
  /** The environment variable of the secret, and the secret. */
  readonly secret: readonly [name: string, value: string];
}

async function answersFrom(
  flags: InitFlags,
  environment: NodeJS.ProcessEnv,
  askUser: Ask | undefined,
): Promise<Answers> {
  const ask = async (given: string | undefined, flag: string, question: string, secret = false) => {
    if (given !== undefined && given !== "") return given;
    if (!askUser) throw new UsageError(`init needs ${flag}: without a terminal, it can't ask`);
    const answer = await askUser(question, { secret });
    if (answer === "") throw new UsageError(`init needs ${flag}`);
    return answer;
  };
  const url = await ask(flags.url ?? environment.CONFORM_URL, "--url", "URL of the service: ");
  const skipsControlQuestion = flags.controlUrl !== undefined || flags.clientId !== undefined || !askUser;
  const controlUrl =
    flags.controlUrl ??
    (skipsControlQuestion
      ? undefined
      : (await askUser("URL of the service's control interface (empty: none): ")) || undefined);
  if (controlUrl !== undefined) {
    const token = await ask(
      environment[CONTROL_TOKEN],
      CONTROL_TOKEN,
      "Token of the control interface: ",
      true,
    );
    return { url, controlUrl, secret: [CONTROL_TOKEN, controlToken(token)] };
  }
  const clientId = await ask(flags.clientId, "--control-url or --client-id", "An integrator's client id: ");
  const secret = await ask(
    environment[CLIENT_SECRET],
    CLIENT_SECRET,
    "The integrator's client secret: ",
    true,
  );
  const codes =
    flags.pairingCode ??
    (await askUser?.("Unused pairing codes, separated by commas (empty: none): "))?.split(",") ??
    [];
  const pairingCode = codes.map((code) => code.trim()).filter((code) => code !== "");
  return { url, clientId, pairingCode, secret: [CLIENT_SECRET, clientSecret(secret, CLIENT_SECRET)] };
}

const schemaLine = (): string => {
  const installed = `./node_modules/${NAME}/${SCHEMA}`;
  return `# yaml-language-server: $schema=${existsSync(installed) ? installed : `https://unpkg.com/${NAME}@${VERSION}/${SCHEMA}`}`;
};

/** The contents of conform.yaml, which refer to environment variables instead of containing secrets. */
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
 * Tries the user's settings on the service, then writes them to conform.yaml.
 * @param askUser undefined without a terminal
 * @throws UsageError if the settings don't work. Nothing is written in this case
 */
export async function init(
  flags: InitFlags,
  environment: NodeJS.ProcessEnv,
  output: Output,
  askUser: Ask | undefined,
): Promise<void> {
  if (existsSync(FILE)) throw new UsageError(`${FILE} exists already: change it, or move it away first`);
  const answers = await answersFrom(flags, environment, askUser);
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
  const { version = "unknown", latencyMs, tokens } = await preflight(target.settings, secretsOf(settings));
  if (controlUrl === undefined && tokens.length === 0) {
    throw new UsageError(
      `${target.settings.url} issues no token for these credentials: check --url, and that the response to POST /oauth/token has an access_token`,
    );
  }
  try {
    writeFileAtomically(FILE, settingsFile(answers));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? textOf(error.code) : "unwritable";
    throw new UsageError(`${FILE} can't be written (${code}): run init in a writable folder`);
  }
  output.result(
    `${target.settings.url} responds in ${Math.ceil(latencyMs)} ms (version ${version}), and accepts the ${controlUrl === undefined ? "credentials" : "token"}.`,
  );
  output.result(`${FILE} is written.${environment[variable] ? "" : ` Before a run: export ${variable}=…`}`);
  output.result(
    `Certify the service: ${commandLine("conform")}\nDuring development, end the run at the first failure: ${commandWith("conform", "--bail")}`,
  );
}
