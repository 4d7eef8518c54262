import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, request } from "undici";
import { parseJson } from "../../../../suites/core/json.ts";
import { ATTACKS, type Passing } from "./attacks.ts";
import { contradicts, MARK, type MarkedResponse, type SentResponse } from "./contract.ts";
import { ReceiptWatch } from "./receipt.ts";

/** A conforming server behind the attacks. */
export interface ConformingServer {
  readonly url: string;
  /** The secrets in the suite's settings. */
  readonly secretsInSettings: readonly string[];
  /** The file of a contract with marked requests. */
  readonly contract?: string;
  close(): Promise<void>;
}

interface HostileTarget {
  /** The origin of the hostile proxy. The paths are those of the server behind the proxy. */
  readonly url: string;
  /**
   * The secrets of the suite's settings, and those that the target issued, except in responses that the suite
   * gave up before it read them.
   */
  readonly secrets: ReadonlySet<string>;
  /** The number of attacks, by name. */
  readonly attacksByName: ReadonlyMap<string, number>;
  /** The responses to a contract's marked requests. */
  readonly contractResponses: readonly MarkedResponse[];
  /** The number of requests so far. */
  requestCount(): number;
  close(): Promise<void>;
}

interface HostileOptions {
  readonly attacks: readonly string[];
  /** The share of responses that are attacked. */
  readonly rate: number;
  /** The number of responses before the first attack, so that the run gets past its beginning. */
  readonly harmlessResponsesFirst: number;
  readonly random: () => number;
}

const SECRET_KEYS = ["client_secret", "access_token", "secret", "pairing_code"];
const MAX_BODY_BYTES = 4 * 1024 * 1024;

function secretsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    SECRET_KEYS.includes(key) && typeof member === "string" ? [member] : secretsIn(member),
  );
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const HOP = ["connection", "keep-alive", "transfer-encoding", "content-length", "host", "expect"];
const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP.includes(name) ? [] : [[name, [value].flat().join(", ")]],
    ),
  );

/** A server behind a proxy that attacks responses, including those of its control interface. */
export async function startHostileTarget(
  server: ConformingServer,
  { attacks, rate, harmlessResponsesFirst, random }: HostileOptions,
): Promise<HostileTarget> {
  /** Each issued secret, with the number of its responses that the suite may have read. */
  const issued = new Map<string, number>();
  const count = (secret: string, change: 1 | -1) => issued.set(secret, (issued.get(secret) ?? 0) + change);
  for (const secret of server.secretsInSettings) count(secret, 1);
  const contractResponses: MarkedResponse[] = [];
  const receipts = new ReceiptWatch();
  const attacksByName = new Map<string, number>();
  const agent = new Agent({ connections: 64 });
  let answers = 0;
  let asked = 0;
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming);
    const {
      statusCode,
      headers,
      body: answered,
    } = await request(`${server.url}${incoming.url}`, {
      method: incoming.method ?? "GET",
      headers: flat(incoming.headers),
      body: body.length > 0 ? body : null,
      dispatcher: agent,
    });
    const bytes = Buffer.from(await answered.arrayBuffer());
    const json = parseJson(bytes.toString());
    const passing: Passing = {
      status: statusCode,
      headers: flat(headers),
      json,
      secrets: [...issued.keys()],
      random,
    };
    answers += 1;
    const name =
      answers > harmlessResponsesFirst && random() < rate
        ? attacks[Math.floor(random() * attacks.length)]
        : undefined;
    const attack = name === undefined ? undefined : ATTACKS[name];
    const mark = [incoming.headers[MARK]].flat()[0];
    const record = (sent: SentResponse | undefined) => {
      if (mark !== undefined)
        contractResponses.push({ mark, attack: name, isContrary: contradicts(mark, sent) });
    };
    if (name === undefined || attack === undefined) {
      record({
        status: statusCode,
        contentType: passing.headers["content-type"] ?? "",
        body: bytes.toString(),
      });
      outgoing.writeHead(statusCode, { ...passing.headers, "content-length": bytes.length });
      // The suite never receives a secret that an attack replaces.
      const sent = secretsIn(json);
      for (const secret of sent) count(secret, 1);
      let isUnread = false;
      receipts.send(outgoing, bytes, () => {
        if (!isUnread) for (const secret of sent) count(secret, -1);
        isUnread = true;
      });
      return;
    }
    attacksByName.set(name, (attacksByName.get(name) ?? 0) + 1);
    record(attack(passing, outgoing));
  };
  const proxy = createServer((incoming, outgoing) => {
    asked += 1;
    outgoing.on("error", () => {});
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  if (typeof address !== "object" || address === null) throw new Error("the target has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    get secrets() {
      return new Set([...issued].flatMap(([secret, responses]) => (responses > 0 ? [secret] : [])));
    },
    attacksByName,
    contractResponses,
    requestCount: () => asked,
    async close() {
      proxy.closeAllConnections();
      await new Promise<void>((resolve) => proxy.close(() => resolve()));
      await agent.destroy();
      await server.close();
    },
  };
}
