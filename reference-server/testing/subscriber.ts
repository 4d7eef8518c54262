/** Integrators with a webhook address each, for tests. */
import { randomUUID } from "node:crypto";
import { type Account, type Answer, at, linkStore, openAccount, order, type Reachable } from "./client.ts";
import type { Arrival, Reply, TestReceiver } from "./receiver.ts";

export class Subscriber {
  readonly account: Account;
  readonly path: string;
  readonly id: string;
  readonly secret: string;
  readonly #receiver: TestReceiver;

  private constructor(account: Account, receiver: TestReceiver, path: string, created: Answer) {
    this.account = account;
    this.#receiver = receiver;
    this.path = path;
    this.id = String(at(created.body, "id"));
    this.secret = String(at(created.body, "secret"));
  }

  /** A new integrator with a store and a subscription. */
  static async open(server: Reachable, receiver: TestReceiver, wish: object = {}): Promise<Subscriber> {
    const account = await openAccount(server);
    await linkStore(account);
    const { origin, ca } = receiver;
    await account.control("POST", "/trusted-receivers", { origin, ca_pem: ca });
    return Subscriber.also(account, receiver, wish);
  }

  /** Another address of an integrator that has one. */
  static async also(account: Account, receiver: TestReceiver, wish: object = {}): Promise<Subscriber> {
    const path = `/${randomUUID()}`;
    const created = await account.send("POST", "/v1/webhooks", { url: `${receiver.origin}${path}`, ...wish });
    if (created.status !== 201) throw new Error(`no subscription: ${created.status}`);
    return new Subscriber(account, receiver, path, created);
  }

  get arrivals(): Arrival[] {
    return this.#receiver.at(this.path);
  }

  answer(reply: Reply): void {
    this.#receiver.answer(this.path, reply);
  }

  until(count: number): Promise<Arrival[]> {
    return this.#receiver.until(this.path, count);
  }

  create(more: object = {}): Promise<Answer> {
    const ref = randomUUID();
    const headers = { "idempotency-key": ref };
    return this.account.send("POST", "/v1/deliveries", order(ref, more), headers);
  }

  move(deliveryId: unknown, action: string, more: object = {}): Promise<Answer> {
    return this.account.control("POST", `/deliveries/${deliveryId}/courier`, { action, ...more });
  }

  advance(seconds: number): Promise<Answer> {
    return this.account.control("POST", `/integrators/${this.account.clientId}/clock/advance`, { seconds });
  }

  /** The subscription as it is listed; undefined where it isn't. */
  async listed(): Promise<unknown> {
    const items = at((await this.account.send("GET", "/v1/webhooks")).body, "items");
    return Array.isArray(items) ? items.find((item) => at(item, "id") === this.id) : undefined;
  }

  test(): Promise<Answer> {
    return this.account.send("POST", `/v1/webhooks/${this.id}/test`);
  }

  /** Seconds between the attempts that arrived, by their timestamps. */
  get gaps(): number[] {
    const times = this.arrivals.map(({ headers }) => Number(headers["webhook-timestamp"]));
    return times.slice(1).map((time, index) => time - (times[index] ?? 0));
  }
}
