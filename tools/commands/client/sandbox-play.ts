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
import { AccessNotes, variablesOf } from "./access.ts";
import { ClientProcess } from "./process.ts";
import { type ChildClient, playClient } from "./run.ts";
import type { ClientSettings } from "./settings.ts";

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
