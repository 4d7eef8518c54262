import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { Socket } from "node:net";
import { wallClock } from "../../../core/clock.ts";
import { parseJson } from "../../../core/json.ts";
import { AnswerWatch, type AnswerWatchOptions } from "./answer-watch.ts";
import type { Attempt } from "./attempt.ts";
import { certificatesFor } from "./certificates.ts";
import { Inbox, type InboxWaits } from "./inbox.ts";
import { applyReaction } from "./reaction.ts";

/** A run causes some thousand events of a few kilobytes. The limits are far higher, but fit into memory. */
const INTAKE_LIMITS: IntakeLimits = { bytes: 64 * 1024 * 1024, attempts: 50_000 };

/** Limits for all webhooks of a run. */
interface IntakeLimits {
  readonly bytes: number;
  readonly attempts: number;
}

/** Counts received webhooks, and reports if there are more than a run can cause. */
class Intake {
  #bytes = 0;
  #attempts = 0;
  #excess: string | undefined;
  readonly #limits: IntakeLimits;
  readonly #onExcess: (excess: string) => void;

  /** @param onExcess called once with a message */
  constructor(limits: IntakeLimits, onExcess: (excess: string) => void) {
    this.#limits = limits;
    this.#onExcess = onExcess;
  }

  /** Why the receiver accepts no more webhooks. Undefined while it accepts webhooks. */
  get excess(): string | undefined {
    return this.#excess;
  }

  /**
   * Counts an attempt.
   * @returns true if the receiver accepts the attempt
   */
  begin(): boolean {
    this.#attempts += 1;
    const { attempts } = this.#limits;
    if (this.#attempts > attempts) this.#end(`more than ${attempts} webhooks`);
    return this.#excess === undefined;
  }

  /**
   * Counts a part of a body.
   * @returns true if the receiver accepts the part
   */
  add(bytes: number): boolean {
    this.#bytes += bytes;
    const megabytes = this.#limits.bytes / 1024 / 1024;
    if (this.#bytes > this.#limits.bytes) this.#end(`webhooks of more than ${megabytes} MB`);
    return this.#excess === undefined;
  }

  #end(what: string): void {
    if (this.#excess !== undefined) return;
    this.#excess = `the target has sent ${what}, which no run can cause: no more are accepted`;
    this.#onExcess(this.#excess);
  }
}

const UNWATCHED: AnswerWatchOptions = { onOverdue: () => {}, isDelayed: () => false };

export interface ReceiverSettings extends InboxWaits {
  /** The address to listen at, as `host:port`. Port 0 picks a free port. */
  readonly bind: string;
  /** The URL for the target if it differs from the listening address, as it does with a tunnel or proxy. */
  readonly publicUrl: string | undefined;
  /** A certificate that the target trusts, in PEM. By default the receiver creates its own CA. */
  readonly certificate: { readonly cert: string; readonly key: string } | undefined;
}

/**
 * Milliseconds for which a connection may be idle. Senders close idle connections earlier, so that the receiver
 * never closes a connection just before a webhook. Node's default of five seconds is close to the first delay
 * between attempts.
 */
const KEPT_OPEN_MS = 10 * 60_000;

/** More bytes than any event has. The rest of a longer body is dropped. */
const MAX_BODY_BYTES = 4_000_000;

/** Options for counting received webhooks. */
interface IntakeOptions {
  readonly watch?: AnswerWatchOptions;
  readonly limits?: IntakeLimits;
  /** Called once with a message if more webhooks arrive than a run can cause. */
  readonly onExcess?: (excess: string) => void;
}

function splitBind(bind: string): { host: string; port: number } {
  const at = bind.lastIndexOf(":");
  return { host: bind.slice(0, at).replace(/^\[|\]$/g, ""), port: Number(bind.slice(at + 1)) };
}

const PROBING: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/**
 * True for a request that only tests whether the endpoint exists. A target may send such a request when an
 * endpoint is registered (OPEN-163).
 */
const isProbe = (method: string, headers: Attempt["headers"], bytes: Buffer): boolean =>
  PROBING.includes(method) &&
  bytes.length === 0 &&
  !Object.keys(headers).some((name) => name.startsWith("webhook-"));

/** The suite's webhook receiver. It uses https, and has a separate endpoint for each use. */
export class WebhookReceiver {
  readonly #inboxes = new Map<string, Inbox>();
  readonly #server: Server;
  readonly #waits: InboxWaits;
  readonly #intake: Intake;
  readonly #watch: AnswerWatch;
  /** All open connections, because the server doesn't track connections in their TLS handshake. */
  readonly #sockets = new Set<Socket>();
  /** The scheme, host and port that the target sees, with the path of the inboxes. */
  readonly baseUrl: string;
  /** The CA that signed the certificate. Undefined if the certificate was configured. */
  readonly caPem: string | undefined;

  private constructor(
    server: Server,
    baseUrl: string,
    caPem: string | undefined,
    waits: InboxWaits,
    { limits = INTAKE_LIMITS, onExcess = () => {}, watch = UNWATCHED }: IntakeOptions,
  ) {
    this.#server = server;
    this.#waits = waits;
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
      // An error at one webhook closes only that webhook's connection.
      this.#receive(request, response).catch(() => request.socket.destroy());
    });
  }

  /** @throws Error if the receiver can't listen at the address */
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
    return new WebhookReceiver(server, baseUrl, made.ca, settings, intake);
  }

  get origin(): string {
    return new URL(this.baseUrl).origin;
  }

  /** A new endpoint. */
  inbox(): Inbox {
    const path = randomUUID();
    const inbox = new Inbox(`${this.baseUrl}/${path}`, this.#waits);
    this.#inboxes.set(path, inbox);
    if (this.#intake.excess !== undefined) inbox.giveUp(this.#intake.excess);
    return inbox;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAt = wallClock();
    const since = this.#watch.begin(request.socket);
    const url = request.url ?? "/";
    // Compares the last segment, because a proxy or tunnel may add a path, and ignores its case, because a
    // target may change the case.
    const path = (url.split("?")[0] ?? "").split("/").at(-1) ?? "";
    const inbox = this.#inboxes.get(path.toLowerCase());
    if (!inbox) {
      request.resume();
      request.once("end", () => response.writeHead(404).end());
      return;
    }
    // Stores the socket, because it isn't available after a body that wasn't read to its end.
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
