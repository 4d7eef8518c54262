/** A whole reference server in this process: for the command, the mutants and the tests. */
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { openSqlite } from "./database/sqlite.ts";
import { keyBeside, passingKey } from "./events/sealing.ts";
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
  /** What webhook secrets are encrypted with, 32 bytes; by default it is made, and kept beside the database file. */
  sealingKey?: Buffer;
  /** Origins on private addresses that webhooks may go to, besides those of the control interface. */
  trustedOrigins?: readonly string[];
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
  const location = options.database ?? ":memory:";
  let url = "";
  const parts = mutate(
    makeParts({
      database: openSqlite(location),
      publicUrl: () => options.publicUrl ?? url,
      controlToken,
      sealingKey: options.sealingKey ?? (location === ":memory:" ? passingKey() : keyBeside(location)),
      trustedOrigins: options.trustedOrigins ?? [],
      reportFault: options.reportFault ?? ((error) => console.error(error)),
    }),
  );
  const app = buildServer(parts);
  try {
    for (const statement of parts.schema) await sql.raw(statement).execute(parts.database);
    await takeOver(parts);
    url = await app.listen({ port, host });
    parts.alarm.start(parts);
    await parts.dispatcher.start(parts);
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
      await parts.dispatcher.stop();
      await parts.transport.close();
      await parts.database.destroy();
    },
  };
}

/**
 * Nobody else is at work on this database, so whatever a process had under way is this one's now: attempts that it had
 * begun, and clocks that it let stand to move them.
 */
async function takeOver(parts: Parts): Promise<void> {
  await parts.records.outbox.releaseAll(parts.database);
  for (const { id, clock_frozen_at } of await parts.records.clocks.standing(parts.database)) {
    await parts.transaction(parts, (tx) =>
      parts.records.clocks.run(tx, id, clock_frozen_at - parts.clock.now()),
    );
  }
}
