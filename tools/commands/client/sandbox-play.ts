import type { ClientCheck } from "../../../suites/client/check.ts";
import type { Play } from "../../../suites/client/run-target.ts";
import type { Scenario } from "../../../suites/client/session/scenarios/scenario.ts";
import {
  type ClientAccess,
  ClientSession,
  type ClientSessionOptions,
  type Service,
} from "../../../suites/client/session/session.ts";
import { textOf } from "../../../suites/core/json.ts";
import type { Redactor } from "../../../suites/core/text/redact.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { removeEnvFile, writeEnvFile } from "./env-file.ts";
import { ClientProcess } from "./process.ts";
import { type ChildClient, playClient } from "./run.ts";
import type { ClientSettings } from "./settings.ts";

/** The environment variables with the base URL and credentials for a start of the client. */
const variablesOf = (access: ClientAccess, timeScale: number): Readonly<Record<string, string>> => ({
  BASE_URL: access.baseUrl,
  CLIENT_ID: access.clientId,
  CLIENT_SECRET: access.clientSecret,
  PAIRING_CODE: access.pairingCode,
  TIME_SCALE: String(timeScale),
});

/** Shows base URL and credentials to the user who starts the client, in a file or on the terminal. */
class AccessNotes {
  readonly #settings: ClientSettings;
  readonly #session: ClientSession;
  readonly #output: Output;
  #writtenVariables: Readonly<Record<string, string>> | undefined;
  #pendingStart: Promise<void> = Promise.resolve();

  constructor(settings: ClientSettings, session: ClientSession, output: Output) {
    this.#settings = settings;
    this.#session = session;
    this.#output = output;
  }

  /** @throws UsageError if the file can't be written */
  show(access: ClientAccess): void {
    const { envFile, command } = this.#settings;
    this.#write(access);
    if (command.length === 0 && envFile !== undefined) {
      this.#output.result(`The base URL and credentials are in ${envFile} until the run ends.`);
    }
  }

  #write(access: ClientAccess): void {
    const { envFile, command, timeScale } = this.#settings;
    const variables = variablesOf(access, timeScale);
    if (envFile !== undefined) {
      writeEnvFile(envFile, variables);
      this.#writtenVariables = variables;
    } else if (command.length === 0) {
      const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
      this.#output.result(lines.join("\n"));
    }
  }

  /**
   * Creates credentials for the next start of the client, and shows them. Called when a start has begun.
   * @param notice prints a message, also if the file can't be written
   */
  showNext(startNumber: number, notice: (text: string) => void): void {
    const { maxStarts = Number.POSITIVE_INFINITY, envFile } = this.#settings;
    if (startNumber >= maxStarts) return;
    this.#pendingStart = this.#pendingStart
      .then(async () => {
        const access = await this.#session.openStart({ hasBegun: false });
        notice(
          `start ${startNumber} has begun; ${envFile === undefined ? "credentials for the next start:" : `credentials for the next start are in ${envFile}`}`,
        );
        this.#write(access);
      })
      .catch((error: unknown) => notice(error instanceof Error ? error.message : textOf(error)));
  }

  /** Deletes the file at the end of the run, because its credentials are no longer valid. */
  async removeFile(): Promise<void> {
    await this.#pendingStart;
    const { envFile } = this.#settings;
    if (envFile !== undefined && this.#writtenVariables) removeEnvFile(envFile, this.#writtenVariables);
  }
}

async function startService(publicUrl: string): Promise<Service> {
  const { startReferenceServer, withTokensForEachStart } = await import(
    "../../../reference-server/embedded.ts"
  );
  const { url, controlUrl, controlToken, close } = await startReferenceServer({
    publicUrl,
    mutate: withTokensForEachStart,
  });
  if (controlToken === null) throw new Error("the embedded server has no control interface");
  return { url, control: { url: controlUrl, token: controlToken }, close };
}

const portProblem = (error: unknown, port: number): unknown => {
  const code = error instanceof Error && "code" in error ? textOf(error.code) : undefined;
  return code === undefined
    ? error
    : new UsageError(`the sandbox can't listen on port ${port} (${code}): give another --port`);
};

interface SandboxPlayDependencies {
  readonly settings: ClientSettings;
  /** In the order in which they are played. */
  readonly scenarios: readonly Scenario[];
  /** True if two instances of the client may run at once, because a second run decides about failures. */
  readonly mayOverlap: boolean;
  readonly checks: readonly ClientCheck[];
  readonly redact: Redactor;
  readonly output: Output;
  readonly environment: NodeJS.ProcessEnv;
}

/** A sandbox and its client, for one run of the client's command. */
export class SandboxPlay {
  readonly session: ClientSession;
  readonly access: AccessNotes;
  readonly #deps: SandboxPlayDependencies;
  #client: ChildClient | undefined;
  #closed: Promise<void> | undefined;

  private constructor(session: ClientSession, deps: SandboxPlayDependencies) {
    this.session = session;
    this.#deps = deps;
    this.access = new AccessNotes(deps.settings, session, deps.output);
  }

  /** @throws UsageError if the port is taken, or the command doesn't start */
  static async open(
    deps: SandboxPlayDependencies,
    told: Pick<ClientSessionOptions, "startBegan" | "notice">,
  ): Promise<SandboxPlay> {
    const { settings, scenarios, redact } = deps;
    const { port, maxStarts, seed, timeScale } = settings;
    const session = await ClientSession.open({
      ...told,
      port,
      maxStarts,
      seed,
      timeScale,
      scenarios,
      redact,
      startService,
    }).catch((error: unknown) => {
      throw portProblem(error, port);
    });
    const play = new SandboxPlay(session, deps);
    try {
      await play.#begin();
      return play;
    } catch (error) {
      await play.close();
      throw error;
    }
  }

  async #begin(): Promise<void> {
    const startsClient = this.#deps.settings.command.length > 0;
    const first = await this.session.openStart({ hasBegun: startsClient });
    this.access.show(first);
    if (startsClient) this.#client = await this.#startClient(first);
  }

  async #startClient(access: ClientAccess): Promise<ChildClient> {
    const { settings, environment, mayOverlap } = this.#deps;
    const { command, timeScale, quiet, maxStarts } = settings;
    const start = (given: ClientAccess) => {
      if (given !== access) this.access.show(given);
      return ClientProcess.start(command, { ...environment, ...variablesOf(given, timeScale) }, { quiet });
    };
    return { access, first: await start(access), start, maxStarts, mayOverlap };
  }

  /** Lets the client play until it ends. */
  readonly play: Play = (start) => {
    const { settings, checks } = this.#deps;
    const { durationMs } = settings;
    return playClient({ session: this.session, checks, client: this.#client, durationMs })(start);
  };

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#client?.first.stop();
    await this.access.removeFile();
    await this.session.close();
  }
}
