import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { Agent, request } from "undici";
import { wallClock } from "../../../core/clock.ts";
import { parseJson, textMember } from "../../../core/json.ts";
import { withReadableParameters, withReadableTimes } from "../readable-times.ts";
import {
  CLOSED_BY_CLIENT,
  type Completion,
  grantedToken,
  operationAt,
  type RecordedRequest,
} from "../request.ts";
import type { RunClock } from "../run-clock.ts";
import { describeFault, type Fault } from "../scenarios/fault.ts";
import type { FaultPlan } from "../scenarios/fault-plan.ts";
import type { Starts } from "../starts.ts";
import { isCatchUp } from "../task.ts";
import { Cursors, cursorParts, withPlusSigns } from "./cursors.ts";
import { EmptyPages, type ServiceRequest } from "./empty-page.ts";
import { endToEnd } from "./end-to-end.ts";
import type { ErrorMessages } from "./error-messages.ts";
import { withoutOpenNulls } from "./open-nulls.ts";
import { RequestIntake } from "./request-intake.ts";

interface SandboxOptions {
  /** The port; 0 for a free port. */
  readonly port: number;
  readonly plan: FaultPlan;
  readonly starts: Starts;
  readonly texts: ErrorMessages;
  /** The seed of the cursors. */
  readonly seed: number;
  /** The factor for all nominal seconds. */
  readonly timeScale: number;
  readonly clock: RunClock;
  /** Called for each injected fault. */
  readonly notice: (text: string) => void;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * The number of entries on a page, whatever limit the client requests, so that every list has several pages.
 */
const PAGE_SIZE = 1;
const MAX_PAGE_SIZE = 200;

const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(", ")]],
    ),
  );

const bearer = (header: string | undefined): string | undefined => /^bearer +(\S+)$/i.exec(header ?? "")?.[1];

const HTML = Buffer.from("<!doctype html><title>Bad gateway</title><h1>The server is not available</h1>\n");

/**
 * Idle connections stay open for longer than any wait of a client. Otherwise, the sandbox could close a
 * connection just before a request, and the client would lose an attempt that the sandbox doesn't see.
 */
const LONGEST_CLIENT_WAIT_MS = 90_000;

/** A proxy in front of a service, which injects planned faults and records requests. */
export class Sandbox {
  /** The recorded requests in order of arrival. */
  readonly requests: RecordedRequest[] = [];
  readonly #first = Promise.withResolvers<void>();
  readonly #options: SandboxOptions;
  readonly #server = createServer((incoming, outgoing) => void this.#receive(incoming, outgoing));
  readonly #agent = new Agent();
  readonly #used = new WeakSet<Socket>();
  /** The tokens that the service refuses, each with the error code. */
  readonly #refusedTokens = new Map<string, string>();
  readonly #emptyPages: EmptyPages;
  readonly #cursors: Cursors;
  #serviceUrl = "";
  #url = "";
  readonly #intake: RequestIntake;

  constructor(options: SandboxOptions) {
    this.#options = options;
    const drawPart = cursorParts(options.seed);
    this.#emptyPages = new EmptyPages(drawPart);
    this.#cursors = new Cursors(drawPart);
    this.#intake = new RequestIntake(options.notice);
    this.#server.keepAliveTimeout = LONGEST_CLIENT_WAIT_MS;
  }

  /** Resolves with a message when the client exceeds the limits of a run. */
  get exceeded(): Promise<string> {
    return this.#intake.exceeded;
  }

  /** Resolves at the first request. */
  get firstRequest(): Promise<void> {
    return this.#first.promise;
  }

  get url(): string {
    return this.#url;
  }

  /**
   * Starts to listen at the port.
   * @throws an error with the operating system's code
   */
  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#options.port, "127.0.0.1", resolve);
    });
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("the sandbox has no port");
    this.#url = `http://127.0.0.1:${address.port}`;
  }

  /** Sets the service to which the sandbox forwards requests. */
  proxyTo(serviceUrl: string): void {
    this.#serviceUrl = serviceUrl;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.#agent.destroy();
  }

  async #receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { socket } = incoming;
    const connectionReused = this.#used.has(socket);
    this.#used.add(socket);
    const [arrivedAt, startedAt] = [this.#options.clock.now(), wallClock()];
    try {
      const body = await this.#intake.readLimited(incoming);
      const { pathname: path, searchParams: query } = new URL(incoming.url ?? "/", "http://sandbox");
      const method = incoming.method ?? "GET";
      const headers = flat(incoming.headers);
      const what = {
        operation: operationAt(method, path),
        body,
        json: parseJson(body.toString()),
        token: bearer(headers.authorization),
      };
      const one: RecordedRequest = {
        ...what,
        number: this.requests.length + 1,
        startNumber: this.#options.starts.startOf(what),
        method,
        path,
        query: withPlusSigns(query),
        headers,
        connectionReused,
        arrivedAt,
        startedAt,
        completion: undefined,
        fault: undefined,
        servedStatus: undefined,
      };
      this.requests.push(one);
      this.#first.resolve();
      outgoing.once("close", () => {
        one.completion ??= { at: this.#options.clock.now(), response: undefined, failure: CLOSED_BY_CLIENT };
      });
      await this.#answer(one, outgoing);
    } catch {
      // Closes the connection of an invalid request. Clients treat that as a network error.
      outgoing.destroy();
    }
  }

  async #answer(one: RecordedRequest, outgoing: ServerResponse): Promise<void> {
    const { fault, scenario } = this.#options.plan.faultFor(one);
    if (fault) {
      one.fault = describeFault(fault);
      this.#options.notice(`${scenario?.name}: ${one.method} ${one.path}: ${one.fault}`);
      return this.#inject(fault, one, outgoing);
    }
    const refusal = one.token === undefined ? undefined : this.#refusedTokens.get(one.token);
    if (refusal !== undefined) {
      one.fault = `401 ${refusal}: this token was refused before`;
      return this.#send(one, outgoing, this.#error(401, refusal, "token"));
    }
    return this.#send(one, outgoing, await this.#service(one));
  }

  async #inject(fault: Fault, one: RecordedRequest, outgoing: ServerResponse): Promise<void> {
    switch (fault.kind) {
      case "reset":
        return this.#abort(one, outgoing);
      case "lost-response":
        await this.#service(one);
        return this.#abort(one, outgoing);
      case "taken-reference": {
        const answer = await this.#service(one);
        const deliveryId = textMember(parseJson(answer.body.toString()), "id");
        const details = { delivery_id: deliveryId };
        const taken = this.#error(409, "EXTERNAL_REF_TEKRAR", "refusal", details);
        return this.#send(one, outgoing, deliveryId === undefined ? answer : taken);
      }
      case "slow": {
        const answer = await this.#service(one);
        const closed = new AbortController();
        outgoing.once("close", () => closed.abort());
        const { clock, timeScale } = this.#options;
        await clock.holdBack(fault.seconds * timeScale * 1000, closed.signal);
        return this.#send(one, outgoing, answer);
      }
      case "token-refusal":
        if (one.token !== undefined) this.#refusedTokens.set(one.token, fault.code);
        return this.#send(one, outgoing, this.#error(401, fault.code, "token"));
      case "html":
        return this.#send(one, outgoing, {
          status: fault.status,
          headers: { "content-type": "text/html; charset=utf-8" },
          body: HTML,
        });
      case "error": {
        const { status, code, says = "fault", details, retryAfter } = fault;
        const answer = this.#error(status, code, says, details);
        const wait = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
        return this.#send(one, outgoing, { ...answer, headers: { ...answer.headers, ...wait } });
      }
    }
  }

  #error(status: number, code: string, says: keyof ErrorMessages, details?: object): Answer {
    const message = this.#options.texts[says];
    return this.#json(status, { error: { code, message, ...(details && { details }) } });
  }

  #json(status: number, body: unknown): Answer {
    return {
      status,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "x-ratelimit-limit": "1200",
        "x-ratelimit-remaining": status === 429 ? "0" : "1000",
        "x-ratelimit-reset": "6",
      },
      body: Buffer.from(JSON.stringify(body)),
    };
  }

  async #service(one: RecordedRequest): Promise<Answer> {
    const ownRequest: ServiceRequest = {
      startNumber: one.startNumber,
      query: this.#cursors.toService(one.query),
    };
    const emptyPage = isCatchUp(one) ? this.#emptyPages.emptyPageFor(ownRequest) : undefined;
    if (emptyPage) return this.#json(200, this.#cursors.toClient(emptyPage));
    const readable = withReadableParameters(ownRequest.query);
    const query = (isCatchUp(one) ? shortPage(readable) : readable).toString();
    const answer = await request(`${this.#serviceUrl}${one.path}${query === "" ? "" : `?${query}`}`, {
      method: one.method,
      headers: endToEnd(one.headers),
      body: normalized(one),
      dispatcher: this.#agent,
    });
    one.servedStatus = answer.statusCode;
    const body = Buffer.from(await answer.body.arrayBuffer());
    return {
      status: answer.statusCode,
      headers: endToEnd(flat(answer.headers)),
      body:
        one.operation === "listDeliveries" && answer.statusCode === 200
          ? this.#pageForClient(one, ownRequest, body)
          : body,
    };
  }

  /** The body of a list, with the client's cursors. */
  #pageForClient(one: RecordedRequest, asked: ServiceRequest, body: Buffer): Buffer {
    const page = parseJson(body.toString());
    const given = this.#cursors.toClient(
      isCatchUp(one) ? this.#emptyPages.insertEmptyPage(asked, page) : page,
    );
    return given === page ? body : Buffer.from(JSON.stringify(given));
  }

  #abort(one: RecordedRequest, outgoing: ServerResponse): void {
    one.completion = {
      at: this.#options.clock.now(),
      response: undefined,
      failure: "the sandbox cut the connection",
    };
    outgoing.destroy();
  }

  #send(one: RecordedRequest, outgoing: ServerResponse, { status, headers, body }: Answer): void {
    if (outgoing.destroyed) return;
    // Records the response before writing it, because the client may receive it before this process continues.
    const at = this.#options.clock.now();
    outgoing.writeHead(status, { ...headers, ...(status !== 204 && { "content-length": body.length }) });
    outgoing.end(status === 204 ? undefined : body);
    this.#intake.countKeptBytes(body);
    const text = body.toString();
    const response: Completion["response"] = { status, headers, bytes: body, text, json: parseJson(text) };
    one.completion = { at, response, failure: undefined };
    const token = grantedToken(one);
    if (token !== undefined) this.#options.starts.granted(token, one.startNumber);
  }
}

/**
 * The body for the service, without nulls and with RFC 3339 times, so that unspecified forms have no effect.
 */
function normalized({ operation, body, json }: RecordedRequest): Buffer | string | null {
  if (body.length === 0) return null;
  if (operation === undefined || json === undefined) return body;
  const rest = withReadableTimes(withoutOpenNulls(operation, json));
  return isDeepStrictEqual(rest, json) ? body : JSON.stringify(rest);
}

/** The list request with a smaller limit. A request with an invalid limit is forwarded unchanged. */
function shortPage(query: URLSearchParams): URLSearchParams {
  const limit = query.get("limit") ?? String(MAX_PAGE_SIZE);
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_PAGE_SIZE) return query;
  const shorter = new URLSearchParams(query);
  shorter.set("limit", String(Math.min(Number(limit), PAGE_SIZE)));
  return shorter;
}
