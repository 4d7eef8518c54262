/** A Kysely connection with prepared statements. */
import { hash } from "node:crypto";
import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type { PoolClient } from "pg";

/**
 * Statements with more parameters aren't prepared: lists of values produce many different statements, and the
 * database keeps every prepared statement.
 */
const mostParameters = 24;

const commands = ["UPDATE", "DELETE", "INSERT", "SELECT", "MERGE", "COMMIT", "ROLLBACK"] as const;

const names = new Map<string, string>();

export class PreparingClient implements PostgresPoolClient {
  readonly #client: PoolClient;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  /** Only satisfies Kysely's interface: nothing streams, so no cursor is ever submitted to the client. */
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    statement: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    return typeof statement === "string" ? this.#run<R>(statement, parameters) : statement;
  }

  async #run<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const values = [...parameters];
    const isPrepared = values.length > 0 && values.length <= mostParameters;
    const result = await this.#client.query({ text, values, ...(isPrepared && { name: nameOf(text) }) });
    return {
      // Kysely doesn't distinguish other commands.
      command: commands.find((command) => command === result.command) ?? ("SELECT" as const),
      rowCount: result.rowCount ?? 0,
      rows: result.rows,
    };
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy);
  }
}

/** A statement's name. PostgreSQL limits names to 63 characters. */
function nameOf(text: string): string {
  const name = names.get(text) ?? hash("sha256", text, "base64url");
  names.set(text, name);
  return name;
}
