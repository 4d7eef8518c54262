import type { ClientAccess, ClientSession } from "../../../suites/client/session/session.ts";
import { textOf } from "../../../suites/core/json.ts";
import type { Output } from "../../terminal/output.ts";
import { removeEnvFile, writeEnvFile } from "./env-file.ts";
import type { ClientSettings } from "./settings.ts";

/** The environment variables with the base URL and credentials for a start of the client. */
export const variablesOf = (access: ClientAccess, timeScale: number): Readonly<Record<string, string>> => ({
  BASE_URL: access.baseUrl,
  CLIENT_ID: access.clientId,
  CLIENT_SECRET: access.clientSecret,
  PAIRING_CODE: access.pairingCode,
  TIME_SCALE: String(timeScale),
});

/** Shows base URL and credentials to the user who starts the client, in a file or on the terminal. */
export class AccessNotes {
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
