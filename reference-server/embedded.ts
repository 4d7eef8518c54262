/** A whole reference server in this process: for the command, the mutants and the tests. */
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { openSqlite } from "./database/sqlite.ts";
import { controlPath } from "./http/control.ts";
import { makeParts, type Parts } from "./parts.ts";
import { buildServer } from "./server.ts";

export interface StartOptions {
  /** Makes another server of the reference. */
  mutate?: (parts: Parts) => Parts;
  /** 0, the default, takes a free one. */
  port?: number;
  /** 127.0.0.1 by default. */
  host?: string;
  /** A random one by default; null for no control interface. */
  controlToken?: string | null;
  /** A file's path; in memory by default. */
  database?: string;
  /** Where the service is reached from outside, if that isn't where it listens. */
  publicUrl?: string;
  /** Told of every error that is answered 500; prints it by default. */
  reportFault?: (error: unknown) => void;
}

export interface RunningServer {
  url: string;
  controlUrl: string;
  controlToken: string | null;
  /** Answers what is under way, then stops. */
  close(): Promise<void>;
}

export async function startReferenceServer(options: StartOptions = {}): Promise<RunningServer> {
  const { mutate = (parts) => parts, port = 0, host = "127.0.0.1" } = options;
  const controlToken =
    options.controlToken === undefined ? randomBytes(24).toString("base64url") : options.controlToken;
  let url = "";
  const parts = mutate(
    makeParts({
      database: openSqlite(options.database ?? ":memory:"),
      publicUrl: () => options.publicUrl ?? url,
      controlToken,
      reportFault: options.reportFault ?? ((error) => console.error(error)),
    }),
  );
  const app = buildServer(parts);
  try {
    for (const statement of parts.schema) await sql.raw(statement).execute(parts.database);
    url = await app.listen({ port, host });
    parts.alarm.start(parts);
  } catch (error) {
    await app.close();
    await parts.database.destroy();
    throw error;
  }
  return {
    url,
    controlUrl: `${url}${controlPath}`,
    controlToken,
    async close() {
      await app.close();
      await parts.alarm.stop();
      await parts.database.destroy();
    },
  };
}
