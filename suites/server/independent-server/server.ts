// A second service, written from the specification alone. It resolves each open point in an unusual way, so
// that it fails any check that expects more than the specification says.

import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, noSuchPage, Refusal, trackingPage, wrongMethod } from "./answers.ts";
import { identify, Limiter, obtainToken } from "./authentication.ts";
import * as changing from "./change-delivery.ts";
import { control } from "./control.ts";
import { createDelivery } from "./create-delivery.ts";
import { minute, now, utc, utcIfAny, writeJson } from "./formats.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listPaymentTypes } from "./payment-types.ts";
import { type Call, ServerState } from "./state.ts";
import * as stores from "./stores.ts";
import * as hooks from "./webhooks.ts";

const health = (): Answer => ({
  status: 200,
  body: { redis: "kullanılmıyor", db: "bellekte", version: "14 Mart 2026", ok: true, region: "tr-1" },
});

/** The customer's tracking page. An unknown link counts as expired, because expired links are deleted. */
function tracking(state: ServerState, key: string): Answer {
  const delivery = state.tracked.get(key);
  const end = delivery?.cancelled?.at ?? Number.POSITIVE_INFINITY;
  if (delivery === undefined || now() > end + 120 * minute) throw new Refusal(410, "TAKIP_KAPANDI");
  return {
    status: 200,
    body: {
      takip: {
        adimlar: [{ durum: delivery.status, zaman: utc(delivery.updatedAt) }],
        tahmini_varis: utcIfAny(delivery.eta?.dropoff),
      },
    },
  };
}

type HandlerAnswer = Answer & { text?: string };
type Handler = (call: Call) => HandlerAnswer;

/** The integrators' paths; a colon marks a parameter. */
const routes: [method: string, path: string, handler: Handler][] = [
  ["POST", "stores", stores.registerStore],
  ["GET", "stores", stores.listStores],
  ["GET", "stores/:", stores.getStore],
  ["POST", "quotes", stores.createQuote],
  ["GET", "delivery-areas", stores.listAreas],
  ["GET", "payment-types", listPaymentTypes],
  ["POST", "deliveries", createDelivery],
  ["GET", "deliveries", listDeliveries],
  ["GET", "deliveries/:", changing.getDelivery],
  ["PATCH", "deliveries/:", changing.changeDelivery],
  ["POST", "deliveries/:/cancel", changing.cancelDelivery],
  ["GET", "deliveries/:/proofs", changing.listProofs],
  ["GET", "deliveries/:/proofs/:", changing.getProof],
  ["POST", "webhooks", hooks.createHook],
  ["GET", "webhooks", hooks.listHooks],
  ["DELETE", "webhooks/:", hooks.deleteHook],
  ["POST", "webhooks/:/rotate", hooks.rotateHook],
  ["POST", "webhooks/:/test", hooks.testHook],
];

function paramsOf(pattern: string, segments: string[]): string[] | undefined {
  const parts = pattern.split("/");
  if (parts.length !== segments.length) return undefined;
  if (!parts.every((part, at) => part === ":" || part === segments[at])) return undefined;
  return segments.filter((_, at) => parts[at] === ":");
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const isJson = (type: string | undefined) => /^\s*application\/json\s*(;|$)/i.test(type ?? "");

const decoded = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

class IndependentServer {
  readonly world = new ServerState();
  readonly controlToken: string;
  readonly #limiter = new Limiter();

  constructor(controlToken: string) {
    this.controlToken = controlToken;
  }

  async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const raw = await bytesOf(incoming);
    const url = new URL(`http://service${incoming.url ?? "/"}`);
    const segments = url.pathname.split("/").slice(1).map(decoded);
    const method = incoming.method ?? "GET";
    const rate: Record<string, string> = {};
    const answer = this.#answer(() => {
      if (segments[0] === "control") {
        if (incoming.headers.authorization !== `Bearer ${this.controlToken}`)
          throw new Refusal(401, "GECERSIZ");
        return control(this.world, method, url.pathname.slice("/control".length), raw);
      }
      return this.#serve({ incoming, raw, method, segments, query: url.searchParams, rate });
    });
    await write(outgoing, answer, rate);
  }

  #answer(act: () => HandlerAnswer): HandlerAnswer {
    try {
      return act();
    } catch (error) {
      return (error instanceof Refusal ? error : new Refusal(500, "SUNUCU_HATASI")).answer();
    }
  }

  /** Order of processing: limits, content type, route, credentials, request. */
  #serve(request: {
    incoming: IncomingMessage;
    raw: Buffer;
    method: string;
    segments: string[];
    query: URLSearchParams;
    rate: Record<string, string>;
  }): HandlerAnswer {
    const { incoming, raw, method, segments, query, rate } = request;
    const path = segments.join("/");
    const caller = identify(this.world, incoming.headers.authorization);
    const address = incoming.socket.remoteAddress ?? "";
    const key = segments.length === 4 && path.startsWith("v1/public/tracking/") ? segments[3] : undefined;
    const [bucket, limit] =
      path === "oauth/token"
        ? [`token ${address}`, 30]
        : key !== undefined
          ? [`tracking ${key}`, 60]
          : caller instanceof Refusal
            ? [`address ${address}`, 300]
            : [`identity ${caller.clientId}`, 1200];
    const quota = this.#limiter.take(bucket, limit);
    Object.assign(rate, quota.headers);
    if (!quota.allowed) throw new Refusal(429, "HIZ_SINIRI");
    if (raw.length > 131_072) throw new Refusal(413, "GOVDE_BUYUK");
    if (raw.length > 0 && !isJson(incoming.headers["content-type"])) return { status: 415 };

    const open = `${method} ${path}`;
    if (open === "POST oauth/token") return obtainToken(this.world, raw);
    if (open === "GET healthz") return health();
    if (open === "GET izle") return trackingPage();
    if (key !== undefined && method === "GET") return tracking(this.world, key);

    const matches = routes.flatMap(([verb, pattern, handler]) => {
      const params = segments[0] === "v1" ? paramsOf(pattern, segments.slice(1)) : undefined;
      return params === undefined ? [] : [{ verb, handler, params }];
    });
    const route = matches.find(({ verb }) => verb === method);
    if (matches.length === 0) return noSuchPage();
    if (route === undefined) return wrongMethod(matches.map(({ verb }) => verb).join(", "));
    if (caller instanceof Refusal) throw caller;
    if (caller.kind === "other") throw new Refusal(403, "YETKI_YOK");
    const header = (name: string) => incoming.headers[name]?.toString();
    return route.handler({ state: this.world, caller, raw, query, header, params: route.params });
  }
}

/** Writes the response in two chunks with a pause, and closes the connection. */
async function write(
  outgoing: ServerResponse,
  answer: HandlerAnswer,
  rate: Record<string, string>,
): Promise<void> {
  const text =
    answer.text ?? answer.html ?? (answer.body === undefined ? "" : `${writeJson(answer.body)}\r\n`);
  const type = answer.html === undefined ? "application/json;charset=UTF-8" : "text/html; charset=utf-8";
  const content: Record<string, string> = text === "" ? {} : { "Content-Type": type };
  if (text === "" && answer.status !== 204) content["Content-Length"] = "0";
  await pause(Math.random() * 20);
  outgoing.writeHead(answer.status, { ...rate, ...answer.headers, ...content, Connection: "close" });
  if (text === "") return void outgoing.end();
  outgoing.write(text.slice(0, text.length / 2));
  await pause(5);
  outgoing.end(text.slice(text.length / 2));
}

type IndependentServerOptions = { port?: number; controlToken?: string };
export type RunningIndependentServer = {
  url: string;
  controlUrl: string;
  controlToken: string;
  close: () => Promise<void>;
};

export async function startIndependentServer(
  options: IndependentServerOptions = {},
): Promise<RunningIndependentServer> {
  const service = new IndependentServer(options.controlToken ?? randomBytes(24).toString("hex"));
  const server = createServer((incoming, outgoing) => {
    service.handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((listening) => server.listen(options.port ?? 0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  const url = `http://127.0.0.1:${address.port}`;
  service.world.base = url;
  const close = async () => {
    service.world.stop();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { url, controlUrl: `${url}/control`, controlToken: service.controlToken, close };
}
