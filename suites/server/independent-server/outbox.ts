import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { lookup } from "node:dns";
import { request } from "node:https";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";
import { day, type Json, now, utc, writeJson } from "./formats.ts";
import type { Delivery, ServerState, Webhook } from "./state.ts";
import { deliveryView } from "./views.ts";

/** The seconds before each attempt, from the previous attempt. */
const retryDelays = [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000];
const responseTimeoutMs = 15_000;

type Message = { hook: Webhook; id: string; envelopeId: string; kind: string; at: number; data: () => Json };

/**
 * Sends the event to every subscribed endpoint. Messages are sent independently, so they may overtake each
 * other.
 */
export function emit(state: ServerState, delivery: Delivery, kind: string): void {
  const firstData = deliveryView(delivery, state.base);
  for (const hook of delivery.owner.hooks.values()) {
    if (hook.status !== "ACTIVE" || !hook.kinds.includes(kind)) continue;
    let isSent = false;
    const data = () => {
      const shown = isSent ? deliveryView(delivery, state.base) : firstData;
      isSent = true;
      return shown;
    };
    post(state, hook, kind, data);
  }
}

/** Sends a message whose id differs from the envelope's id. */
export function post(state: ServerState, hook: Webhook, kind: string, data: () => Json): string {
  const id = `msg_${randomBytes(12).toString("hex")}`;
  const message = { hook, id, envelopeId: randomUUID(), kind, at: now(), data };
  state.later(300 + Math.random() * 500, () => void attempt(state, message, 1));
  return id;
}

async function attempt(state: ServerState, message: Message, count: number): Promise<void> {
  const { hook } = message;
  if (hook.status !== "ACTIVE") return;
  const status = await send(state, message);
  if (hook.status !== "ACTIVE") return;
  if (status >= 200 && status < 300) {
    hook.failingSince = undefined;
    if (Math.random() < 0.5) state.later(400, () => void sendAgain(state, message));
    return;
  }
  hook.failingSince ??= now();
  if (status === 410 || now() - hook.failingSince >= 5 * day) {
    hook.status = "KAPANDI";
    return;
  }
  const pause = retryDelays[count];
  if (pause === undefined) return;
  state.later(pause * 1000 * (1 + Math.random() * 0.05), () => void attempt(state, message, count + 1));
}

/** Repeats an accepted message, because events may be delivered more than once. */
async function sendAgain(state: ServerState, message: Message): Promise<void> {
  if (message.hook.status !== "ACTIVE") return;
  if ((await send(state, message)) === 410) message.hook.status = "KAPANDI";
}

/** Two signatures, the first in an unknown version. */
function signatures(secret: string, text: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const digest = createHmac("sha256", key).update(text).digest("base64");
  return `v1a,${randomBytes(64).toString("base64")} v1,${digest}`;
}

/** The response's status; 0 without a response. */
function send(state: ServerState, { hook, id, envelopeId, kind, at, data }: Message): Promise<number> {
  const url = new URL(hook.url);
  const body = writeJson({ data: data(), timestamp: utc(at), api: "2", type: kind, id: envelopeId });
  const stamp = String(Math.floor(now() / 1_000_000));
  const trusted = state.trusted.has(url.origin);
  const ca = state.trusted.get(url.origin);
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "User-Agent": "kurye-olay/2",
    "Webhook-Id": id,
    "Webhook-Timestamp": stamp,
    "Webhook-Signature": signatures(hook.secret, `${id}.${stamp}.${body}`),
  };
  const security = { ...(ca !== undefined && { ca }), ...(!trusted && { lookup: publicLookup }) };
  if (!trusted && !isPublicHost(url)) return Promise.resolve(0);
  return new Promise((resolve) => {
    const outgoing = request(url, { method: "POST", agent: false, headers, ...security });
    const timer = setTimeout(() => outgoing.destroy(), responseTimeoutMs);
    timer.unref();
    outgoing.on("response", (incoming) => {
      clearTimeout(timer);
      incoming.resume().on("error", () => {});
      resolve(incoming.statusCode ?? 0);
    });
    outgoing.on("error", () => resolve(0));
    outgoing.on("close", () => resolve(0));
    outgoing.end(body);
  });
}

const privateRanges = new BlockList();
for (const range of ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"])
  block(range);
for (const range of ["172.16.0.0/12", "192.168.0.0/16", "224.0.0.0/3"]) block(range);
for (const range of ["::/127", "fc00::/7", "fe80::/10", "::ffff:0:0/96"]) block(range);

function block(range: string): void {
  const [address = "", bits = ""] = range.split("/");
  privateRanges.addSubnet(address, Number(bits), isIPv6(address) ? "ipv6" : "ipv4");
}

const isPrivate = (address: string) => privateRanges.check(address, isIPv6(address) ? "ipv6" : "ipv4");

export function isPublicHost(url: URL): boolean {
  const host = url.hostname.replaceAll(/[[\]]/g, "");
  return host !== "localhost" && !(isIP(host) !== 0 && isPrivate(host));
}

/** A name must not resolve to a private address. */
const publicLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, found) => {
    const first = found?.[0];
    if (error !== null || first === undefined || found.some(({ address }) => isPrivate(address))) {
      return done(error ?? new Error("no public address"), "", 4);
    }
    return options.all === true ? done(null, found) : done(null, first.address, first.family);
  });
};
