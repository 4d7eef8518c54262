import type { ClientAccess, ClientSession } from "../../../suites/client/session/session.ts";
import { textOf } from "../../../suites/core/json.ts";
import type { Output } from "../../terminal/output.ts";
import { removeEnvFile, writeEnvFile } from "./env-file.ts";
import type { ClientSettings } from "./settings.ts";

/** The access data of a client start as environment variables. */
export const variablesOf = (access: ClientAccess, timeScale: number): Readonly<Record<string, string>> => ({
  BASE_URL: access.baseUrl,
  CLIENT_ID: access.clientId,
  CLIENT_SECRET: access.clientSecret,
  PAIRING_CODE: access.pairingCode,
  TIME_SCALE: String(timeScale),
});

/** Gives base URL and credentials to the operator of an external client, in a file or on the terminal. */
export class AccessNotes {
  readonly #settings: ClientSettings;
  readonly #session: ClientSession;
  readonly #output: Output;
  #written: Readonly<Record<string, string>> | undefined;
  #telling: Promise<void> = Promise.resolve();

  constructor(settings: ClientSettings, session: ClientSession, output: Output) {
    this.#settings = settings;
    this.#session = session;
    this.#output = output;
  }

  /** @throws UsageError if the file can't be written */
  tell(access: ClientAccess): void {
    const { envFile, command } = this.#settings;
    this.#write(access);
    if (command.length === 0 && envFile !== undefined) {
      this.#output.result(`Address and credentials are in ${envFile} until the run ends.`);
    }
  }

  #write(access: ClientAccess): void {
    const { envFile, command, timeScale } = this.#settings;
    const variables = variablesOf(access, timeScale);
    if (envFile !== undefined) {
      writeEnvFile(envFile, variables);
      this.#written = variables;
    } else if (command.length === 0) {
      const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
      this.#output.result(lines.join("\n"));
    }
  }

  /**
   * Prepares the next start of an external client, once the previous start has begun.
   * @param notice called if the file can't be written any more
   */
  tellNext(startNumber: number, notice: (text: string) => void): void {
    const { maxStarts = Number.POSITIVE_INFINITY, envFile } = this.#settings;
    if (startNumber >= maxStarts) return;
    this.#telling = this.#telling
      .then(async () => {
        const access = await this.#session.openStart({ begins: false });
        notice(
          `start ${startNumber} has begun; ${envFile === undefined ? "the next one gets" : `for the next one there are new credentials in ${envFile}`}`,
        );
        this.#write(access);
      })
      .catch((error: unknown) => notice(error instanceof Error ? error.message : textOf(error)));
  }

  /** Deletes the file when its credentials are no longer valid. */
  async withdraw(): Promise<void> {
    await this.#telling;
    const { envFile } = this.#settings;
    if (envFile !== undefined && this.#written) removeEnvFile(envFile, this.#written);
  }
}
