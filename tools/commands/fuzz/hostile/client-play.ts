/** Plays a hostile API client against the sandbox that the command `client` starts. */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { Agent, request } from "undici";
import { poll } from "../../../../suites/core/clock.ts";
import { parseJson, textMember } from "../../../../suites/core/json.ts";
import type { RunningCommand } from "./run.ts";

/** The actions of a hostile client in its sandbox. */
export interface ClientActions {
  readonly random: () => number;
  readonly secrets: readonly string[];
  /** True if the run has ended. */
  isOver(): boolean;
  /**
   * Sends a request with the client's token, or with other headers. Returns the response's JSON; undefined
   * without one.
   */
  send(
    method: "GET" | "POST",
    path: string,
    body?: string | Buffer,
    headers?: Readonly<Record<string, string>>,
  ): Promise<unknown>;
  /** Writes to a new connection until the sandbox responds or closes it. */
  raw(...pieces: readonly (string | Buffer)[]): Promise<void>;
  /** Opens a connection, writes these bytes, and keeps the connection open. */
  hold(bytes: string): Promise<void>;
  /** The body of a valid order, with these members replaced. */
  order(more?: object): object;
}

interface PlayOptions {
  readonly random: () => number;
  /** Called with each secret that the client gets. */
  readonly learn: (secret: string) => void;
  readonly progressed: () => void;
}

/** The time limit for a response. The sandbox delays some responses on purpose. */
const ANSWER_MS = 2_000;
const MAX_TRIES = 10;
/** The name of the file with the client's base URL and credentials. */
export const ACCESS_FILE = "access.env";
const STORE = "hostile-store";
const JSON_TYPE = { "content-type": "application/json" };

function accessIn(folder: string): NodeJS.Dict<string> | undefined {
  try {
    return parseEnv(readFileSync(join(folder, ACCESS_FILE), "utf8"));
  } catch {
    return undefined;
  }
}

/** Reads the sandbox's credentials, gets a token, links a store, and attacks. Then it ends the run. */
export async function playHostileClient(
  running: RunningCommand,
  attack: (play: ClientActions) => Promise<void>,
  { random, learn, progressed }: PlayOptions,
): Promise<void> {
  let isOver = false;
  void running.ended.then(() => {
    isOver = true;
  });
  const access = await poll(async () => (isOver ? {} : accessIn(running.folder)), {
    within: Number.POSITIVE_INFINITY,
    every: 50,
  });
  const { BASE_URL, CLIENT_ID = "", CLIENT_SECRET = "", PAIRING_CODE = "" } = access ?? {};
  if (BASE_URL === undefined) return;
  const sandbox = new Connections(new URL(BASE_URL));
  try {
    const credentials = {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      grant_type: "client_credentials",
    };
    const store = {
      external_store_id: STORE,
      pairing_code: PAIRING_CODE,
      name: "a",
      address: { text: "a", ...POINT },
    };
    let token = "";
    // The sandbox refuses some of the first requests and token requests on purpose.
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const granted = await sandbox.send("POST", "/oauth/token", JSON.stringify(credentials), JSON_TYPE);
      token = textMember(granted, "access_token") ?? "";
      const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` };
      const linked = await sandbox.send("POST", "/v1/stores", JSON.stringify(store), headers);
      if (textMember(linked, "id") !== undefined) break;
    }
    const authorization = `Bearer ${token}`;
    const secrets = [CLIENT_SECRET, PAIRING_CODE, token].filter((secret) => secret !== "");
    for (const secret of secrets) learn(secret);
    const play: ClientActions = {
      random,
      secrets,
      isOver: () => isOver,
      send(method, path, body, headers) {
        progressed();
        return sandbox.send(method, path, body, { authorization, ...headers });
      },
      raw(...pieces) {
        progressed();
        return sandbox.raw(pieces);
      },
      async hold(bytes) {
        progressed();
        (await sandbox.open()).write(bytes);
      },
      order: (more = {}) => ({
        external_ref: `hostile-${random()}`,
        store: { external_store_id: STORE },
        dropoff: { text: "a", ...POINT },
        payment: { type: "NAKIT", amount_due: 1 },
        ...more,
      }),
    };
    await attack(play);
  } finally {
    running.interrupt();
    await running.ended;
    await sandbox.close();
  }
}

const POINT = { lat: 41.01, lng: 29.01 };

class Connections {
  readonly #url: URL;
  readonly #agent = new Agent({ connections: 64 });
  readonly #sockets: Socket[] = [];

  constructor(url: URL) {
    this.#url = url;
  }

  async send(
    method: "GET" | "POST",
    path: string,
    body: string | Buffer | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<unknown> {
    try {
      const answer = await request(this.#url.origin + path, {
        method,
        headers,
        body: body ?? null,
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      return parseJson(await answer.body.text());
    } catch {
      // After a refusal, a broken connection, or a header that Node refuses to send, the attack continues.
      return undefined;
    }
  }

  async open(): Promise<Socket> {
    const socket = connect(Number(this.#url.port), this.#url.hostname);
    this.#sockets.push(socket);
    socket.on("error", () => {});
    await new Promise<void>((resolve) => socket.once("connect", resolve).once("close", () => resolve()));
    return socket;
  }

  async raw(pieces: readonly (string | Buffer)[]): Promise<void> {
    const socket = await this.open();
    const ended = new Promise<void>((resolve) => {
      socket.once("data", () => resolve()).once("close", () => resolve());
      socket.setTimeout(ANSWER_MS, resolve);
    });
    let hasEnded = false;
    void ended.then(() => {
      hasEnded = true;
    });
    for (const piece of pieces) {
      if (hasEnded) break;
      if (socket.write(piece)) continue;
      await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), ended]);
    }
    await ended;
    socket.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await this.#agent.destroy();
  }
}
