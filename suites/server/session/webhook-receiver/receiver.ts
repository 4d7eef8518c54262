import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { Socket } from "node:net";
import { wallClock } from "../../../core/clock.ts";
import { parseJson } from "../../../core/json.ts";
import { AnswerWatch, type AnswerWatchOptions, UNWATCHED } from "./answer-watch.ts";
import type { Attempt } from "./attempt.ts";
import { certificatesFor } from "./certificates.ts";
import { Inbox } from "./inbox.ts";
import { INTAKE_LIMITS, Intake, type IntakeLimits } from "./intake.ts";
import { applyReaction } from "./reaction.ts";

export interface ReceiverSettings {
  /** `host:port` to listen on; port 0 takes a free one. */
  readonly bind: string;
  /** The URL given to the target instead of the bound address: a tunnel's or a proxy's. */
  readonly publicUrl: string | undefined;
  /** PEM texts of a certificate that the target trusts; without them the receiver makes its own CA. */
  readonly certificate: { readonly cert: string; readonly key: string } | undefined;
  /** Waits are shorter by this factor: for trials of servers that are known to be quick. */
  readonly speedup?: number;
}

/**
 * Time that a connection may stay idle. A sender that keeps one for the next webhook closes it long before, so that
 * none is sent into our close and lost: Node's own five seconds are close to the schedule's first delay.
 */
const KEPT_OPEN_MS = 10 * 60_000;

/** More than any event has. The rest of a longer body isn't kept. */
const MAX_BODY_BYTES = 4_000_000;

/** Limits for more webhooks than a run can cause. */
export interface IntakeOptions {
  readonly watch?: AnswerWatchOptions;
  readonly limits?: IntakeLimits;
  /** Called once, in words about the target. */
  readonly onExcess?: (excess: string) => void;
}

function splitBind(bind: string): { host: string; port: number } {
  const at = bind.lastIndexOf(":");
  return { host: bind.slice(0, at).replace(/^\[|\]$/g, ""), port: Number(bind.slice(at + 1)) };
}

const PROBING: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/** True if a request only asks if the endpoint exists, as a target may before it accepts the endpoint (OPEN-163). */
const isProbe = (method: string, headers: Attempt["headers"], bytes: Buffer): boolean =>
  PROBING.includes(method) &&
  bytes.length === 0 &&
  !Object.keys(headers).some((name) => name.startsWith("webhook-"));

/** The suite's own webhook receiver: https, with a separate endpoint for each caller. */
export class WebhookReceiver {
  readonly #inboxes = new Map<string, Inbox>();
  readonly #server: Server;
  readonly #speedup: number;
  readonly #intake: Intake;
  readonly #watch: AnswerWatch;
  /** All that are open: the server itself knows none whose handshake is still going on. */
  readonly #sockets = new Set<Socket>();
  /** Scheme, host and port as the target sees them, and the path of the inboxes. */
  readonly baseUrl: string;
  /** The CA that signed the certificate. Undefined if the certificate was configured. */
  readonly caPem: string | undefined;

  private constructor(
    server: Server,
    baseUrl: string,
    caPem: string | undefined,
    speedup: number,
    { limits = INTAKE_LIMITS, onExcess = () => {}, watch = UNWATCHED }: IntakeOptions,
  ) {
    this.#server = server;
    this.#speedup = speedup;
    this.#watch = new AnswerWatch(server, watch);
    this.#intake = new Intake(limits, (excess) => {
      onExcess(excess);
      for (const inbox of this.#inboxes.values()) inbox.giveUp(excess);
    });
    this.baseUrl = baseUrl;
    this.caPem = caPem;
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    server.on("request", (request, response) => {
      // A failure at one webhook ends its connection, not the run.
      this.#receive(request, response).catch(() => request.socket.destroy());
    });
  }

  /** @throws Error if it can't listen at the address */
  static async open(settings: ReceiverSettings, intake: IntakeOptions = {}): Promise<WebhookReceiver> {
    const { host, port } = splitBind(settings.bind);
    const publicHost = settings.publicUrl && new URL(settings.publicUrl).hostname.replace(/^\[|\]$/g, "");
    const made = settings.certificate
      ? { ...settings.certificate, ca: undefined }
      : certificatesFor([...new Set([host, "localhost", "127.0.0.1", ...(publicHost ? [publicHost] : [])])]);
    const server = createServer({ cert: made.cert, key: made.key, keepAliveTimeout: KEPT_OPEN_MS });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
    const address = server.address();
    const bound = typeof address === "object" && address ? address.port : port;
    const shown = host.includes(":") ? `[${host}]` : host;
    const baseUrl = (settings.publicUrl ?? `https://${shown}:${bound}`).replace(/\/+$/, "");
    return new WebhookReceiver(server, baseUrl, made.ca, settings.speedup ?? 1, intake);
  }

  get origin(): string {
    return new URL(this.baseUrl).origin;
  }

  /** A new endpoint without any attempts. */
  inbox(): Inbox {
    const path = randomUUID();
    const inbox = new Inbox(`${this.baseUrl}/${path}`, this.#speedup);
    this.#inboxes.set(path, inbox);
    if (this.#intake.excess !== undefined) inbox.giveUp(this.#intake.excess);
    return inbox;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAt = wallClock();
    const since = this.#watch.begin(request.socket);
    const url = request.url ?? "/";
    // The last segment: a proxy or tunnel may have added a path before it. Upper case too, for a target that registers
    // it so.
    const path = (url.split("?")[0] ?? "").split("/").at(-1) ?? "";
    const inbox = this.#inboxes.get(path.toLowerCase());
    if (!inbox) {
      request.resume();
      request.once("end", () => response.writeHead(404).end());
      return;
    }
    // A request whose body isn't read to its end has none any more.
    const { socket } = request;
    const bytes = this.#intake.begin() ? await this.#body(request) : "too much";
    if (bytes === "broken off") return this.#watch.brokenOff(since);
    if (bytes === "too much") {
      socket.destroy();
      return;
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
    );
    const { method = "" } = request;
    if (isProbe(method, headers, bytes)) {
      response.writeHead(204).end();
      return;
    }
    const attempt: Attempt = {
      receivedAt,
      method,
      url,
      headers,
      bytes,
      json: parseJson(new TextDecoder().decode(bytes)),
    };
    const reaction = inbox.receive(attempt);
    this.#watch.planned(reaction, response, since);
    await applyReaction(reaction, response);
  }

  async #body(request: IncomingMessage): Promise<Buffer | "broken off" | "too much"> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of request) {
        if (!this.#intake.add(chunk.length)) return "too much";
        if (size < MAX_BODY_BYTES) chunks.push(chunk);
        size += chunk.length;
      }
    } catch {
      return "broken off";
    }
    return Buffer.concat(chunks);
  }

  async close(): Promise<void> {
    this.#watch.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
