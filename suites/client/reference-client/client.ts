import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { Agent, request } from "undici";
import { isoInstant, wallClock } from "../../core/clock.ts";
import { member, parseJson, textMember } from "../../core/json.ts";
import { REAL_CLOCK, type RunClock } from "../session/run-clock.ts";
import type { ClientAccess } from "../session/session.ts";
import type { CallKind, ClientBehaviour, ClientOrder, Reason, Reply } from "./behaviour.ts";

interface Call {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly body?: object;
  readonly key?: string | undefined;
  readonly contentType?: string;
}

const READY_IN_MS = 1_200_000;
/** The maximum number of pages that the client reads, for a client that misses the end of a list. */
const MAX_PAGES = 200;

/** The nominal seconds between two polls. */
const BETWEEN_POLLS_S = 30;

/** The client got no token, or its credential is closed. The client then exits. */
class Closed extends Error {}

/** Calls about an existing order. Each order gets one of them, in turn. */
const CALLS_ABOUT_ORDERS = ["quote", "change", "cancellation"] as const;

type Access = Omit<ClientAccess, "startNumber">;

/** A small client with configurable behaviour. It shares no code with the example client. */
export class ReferenceClient {
  readonly #access: Access;
  readonly #behaviour: ClientBehaviour;
  readonly #timeScale: number;
  readonly #clock: RunClock;
  readonly #agent: Agent;
  #token: Promise<string | undefined> | undefined;

  constructor(access: Access, behaviour: ClientBehaviour, timeScale: number, clock = REAL_CLOCK) {
    this.#access = access;
    this.#behaviour = behaviour;
    this.#timeScale = timeScale;
    this.#clock = clock;
    this.#agent = new Agent({ pipelining: behaviour.keepAlive ? 1 : 0 });
  }

  /** Links a store, places the given number of orders, and reads the list of deliveries. */
  async play(orders: number): Promise<void> {
    try {
      await this.#link({ pairing_code: this.#access.pairingCode });
      this.#beginPart();
      const { ordersPerStart = orders } = this.#behaviour;
      const left = Array.from({ length: Math.min(orders, ordersPerStart) }, (_, index) => index + 1);
      await Promise.all(
        Array.from({ length: this.#behaviour.atOnce }, async () => {
          for (let number = left.shift(); number !== undefined; number = left.shift())
            await this.#placeOrder(number);
        }),
      );
      this.#beginPart();
      for (let walk = 1; walk <= this.#behaviour.walks; walk += 1) await this.#catchUp();
    } catch (error) {
      if (!(error instanceof Closed)) throw error;
    } finally {
      await this.#agent.destroy();
    }
  }

  async #link(code: object): Promise<void> {
    const body = { ...this.#behaviour.registration, ...code };
    await this.#call("store", () => ({ method: "POST", path: "/v1/stores", body }));
  }

  #beginPart(): void {
    if (this.#behaviour.tokenPer === "part") this.#token = undefined;
  }

  /**
   * Places an order. A third of the orders get a quote first, a third are changed, and a third are cancelled.
   */
  async #placeOrder(number: number): Promise<void> {
    await this.#clock.pause(this.#behaviour.betweenOrdersMs);
    const dealing = this.#behaviour.usesQuotesAndChanges
      ? CALLS_ABOUT_ORDERS[number % CALLS_ABOUT_ORDERS.length]
      : undefined;
    const readyAt = isoInstant(wallClock() + READY_IN_MS);
    if (this.#behaviour.tokenPer === "order") this.#token = undefined;
    if (dealing === "quote") await this.#quote(number, readyAt);
    const id = await this.#handOver(number, readyAt);
    if (id === undefined) return;
    if (dealing === "change") {
      const body = { notes: `Zile ${number} kez basın` };
      await this.#call(dealing, () => ({ method: "PATCH", path: `/v1/deliveries/${id}`, body }));
    }
    if (dealing === "cancellation") {
      const body = { reason: "Müşteri vazgeçti" };
      await this.#call(dealing, () => ({ method: "POST", path: `/v1/deliveries/${id}/cancel`, body }));
    }
  }

  async #quote(number: number, readyAt: string): Promise<void> {
    const dropoff = { lat: 41.0092 + number / 100_000, lng: 28.9794 };
    const body = { store: { external_store_id: "trial-1" }, dropoff, ready_at: readyAt };
    await this.#call("quote", () => ({ method: "POST", path: "/v1/quotes", body }));
  }

  /** @returns the delivery's id; undefined if the client gave up */
  async #handOver(number: number, readyAt: string): Promise<string | undefined> {
    const order: ClientOrder = {
      external_ref: `trial-${number}`,
      store: { external_store_id: "trial-1" },
      customer: { name: `Müşteri ${number}`, phone: "05321234567" },
      dropoff: { text: "Uyum Sokak 5, Kadıköy", ...(number % 2 === 1 && { lat: 41.0092, lng: 28.9794 }) },
      payment: { type: "NAKIT", amount_due: 120.5 },
      items: [{ name: "Mercimek çorbası", quantity: 1.5, total: 120.5 }],
      ready_at: readyAt,
    };
    const sendAs = (key: string, contentType?: string) =>
      this.#call("order", (attempt, reason) => ({
        method: "POST",
        path: "/v1/deliveries",
        body: this.#behaviour.order(order, attempt),
        key: this.#behaviour.key(key, randomUUID(), reason, order.external_ref),
        ...(contentType !== undefined && { contentType }),
      }));
    const key = randomUUID();
    const send = (contentType?: string) => sendAs(key, contentType);
    const first = await send();
    const reply = this.#behaviour.sendsAnew(first) ? await sendAs(randomUUID()) : first;
    return textMember((this.#behaviour.fixes ? await this.#fixed(reply, send) : reply)?.json, "id");
  }

  async #fixed(reply: Reply | undefined, send: (contentType?: string) => Promise<Reply | undefined>) {
    if (reply?.status === 415) return send("application/json");
    if (reply?.code !== "MAGAZA_YOK") return reply;
    await this.#link({});
    return send();
  }

  async #catchUp(): Promise<void> {
    const {
      pageSize,
      continuesAfter: goesOn,
      sendsCursor,
      encodesCursor: writesCursor,
      onLostCursor,
      onInterruption,
      tokenPer,
    } = this.#behaviour;
    let cursor: string | undefined;
    let polls = 0;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      let startsAgain = false;
      if (tokenPer === "page") this.#token = undefined;
      const reply = await this.#call("page", (_, reason) => {
        const query: string[] = [];
        startsAgain ||= reason === "failure" && onInterruption === "start again";
        if (cursor !== undefined && sendsCursor && !startsAgain) query.push(`since=${writesCursor(cursor)}`);
        if (pageSize !== undefined) query.push(`limit=${pageSize}`);
        return { method: "GET", path: `/v1/deliveries?${query.join("&")}` };
      });
      if (reply?.code === "IMLEC_GECERSIZ" && onLostCursor !== "give up") {
        if (onLostCursor === "start again") cursor = undefined;
        continue;
      }
      if (reply?.status !== 200) return;
      const items = member(reply.json, "items");
      const hasMore = member(reply.json, "has_more") === true;
      const next = textMember(reply.json, "next_cursor");
      const seen = { items: Array.isArray(items) ? items.length : 0, hasMore, hasCursor: next !== undefined };
      cursor = next;
      if (goesOn(seen)) continue;
      if (polls >= this.#behaviour.pollsForNews) return;
      polls += 1;
      await this.#clock.pause(BETWEEN_POLLS_S * this.#timeScale * 1000);
    }
  }

  /** Makes one call. Obtains a new token after a 401, and retries after transient failures. */
  async #call(kind: CallKind, wanted: (attempt: number, reason: Reason) => Call): Promise<Reply | undefined> {
    const { renewals, endsOnSecond401 } = this.#behaviour;
    let [attempts, renewed] = [0, 0];
    let reason: Reason = "new";
    for (;;) {
      const reply = await this.#persistently(kind, () => {
        attempts += 1;
        const call = wanted(attempts, reason);
        reason = "failure";
        return this.#try(call);
      });
      if (reply?.status !== 401) return reply;
      if (renewed >= renewals(kind, reply.code)) {
        if (endsOnSecond401) throw new Closed();
        return reply;
      }
      renewed += 1;
      reason = "unauthorised";
      await this.#renew();
    }
  }

  /** Retries until a response that needs no retry, or until the last attempt. */
  async #persistently(kind: CallKind, attempt: () => Promise<Reply | undefined>): Promise<Reply | undefined> {
    const { repeats, wait, tries } = this.#behaviour;
    for (let failures = 1; ; failures += 1) {
      const reply = await attempt();
      if (reply?.status === 401 || !repeats(reply, kind) || failures >= tries) return reply;
      await this.#clock.pause(wait(failures, reply, kind) * this.#timeScale * 1000);
    }
  }

  async #try({
    method,
    path,
    body,
    key,
    contentType = this.#behaviour.contentType,
  }: Call): Promise<Reply | undefined> {
    const { scheme, timeout, compresses } = this.#behaviour;
    const token = await this.#currentToken();
    const text = body === undefined ? undefined : JSON.stringify(body);
    const isCompressed = compresses && text !== undefined;
    return this.#send(method, path, isCompressed ? gzipSync(text) : text, timeout, {
      ...(isCompressed && { "content-encoding": "gzip" }),
      ...(token !== undefined && { authorization: `${scheme} ${token}` }),
      ...(body !== undefined && contentType !== undefined && { "content-type": contentType }),
      ...(key !== undefined && { "idempotency-key": key }),
    });
  }

  async #currentToken(): Promise<string | undefined> {
    const { callsBeforeToken, tokenPer } = this.#behaviour;
    if (tokenPer === "try") this.#token = undefined;
    if (this.#token === undefined && callsBeforeToken) return undefined;
    this.#token ??= this.#getToken();
    const token = await this.#token;
    if (token === undefined) throw new Closed();
    return token;
  }

  async #renew(): Promise<void> {
    for (let i = 0; i < this.#behaviour.tokensPerRenewal; i += 1) {
      this.#token = this.#getToken();
      await this.#token;
    }
  }

  async #getToken(): Promise<string | undefined> {
    const grant = {
      grant_type: "client_credentials",
      client_id: this.#access.clientId,
      client_secret: this.#access.clientSecret,
    };
    const isForm = this.#behaviour.tokenForm === "form";
    const body = isForm ? new URLSearchParams(grant).toString() : JSON.stringify(grant);
    const type = isForm ? "application/x-www-form-urlencoded" : this.#behaviour.contentType;
    const reply = await this.#persistently("token", () =>
      this.#send("POST", "/oauth/token", body, this.#behaviour.timeout, {
        ...(type !== undefined && { "content-type": type }),
      }),
    );
    return textMember(reply?.json, "access_token");
  }

  async #send(
    method: Call["method"],
    path: string,
    body: string | Uint8Array | undefined,
    timeout: number,
    headers: Readonly<Record<string, string>>,
  ): Promise<Reply | undefined> {
    await this.#clock.pause(this.#behaviour.turnaroundMs);
    try {
      const { answer, text } = await this.#clock.limit(timeout * 1000 * this.#timeScale, async (signal) => {
        const answer = await request(`${this.#access.baseUrl}${path}`, {
          method,
          headers,
          body: body ?? null,
          dispatcher: this.#agent,
          signal,
        });
        return { answer, text: await answer.body.text() };
      });
      const json = parseJson(text);
      const retryAfter = Number(answer.headers["retry-after"] ?? Number.NaN);
      return {
        status: answer.statusCode,
        code: textMember(json, "error", "code"),
        message: textMember(json, "error", "message"),
        retryAfter: Number.isNaN(retryAfter) ? undefined : retryAfter,
        json,
      };
    } catch {
      return undefined;
    }
  }
}
