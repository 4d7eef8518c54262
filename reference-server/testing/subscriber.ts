/** Integrators with a webhook endpoint, for tests. */
import { randomUUID } from "node:crypto";
import type { Response, Test } from "supertest";
import {
  type Account,
  actAsCourier,
  advanceClock,
  createDelivery,
  linkStore,
  openAccount,
  type Reachable,
} from "./accounts.ts";
import type { Arrival, Reply, TestReceiver } from "./receiver.ts";

export class Subscriber {
  readonly account: Account;
  readonly path: string;
  readonly id: string;
  readonly secret: string;
  readonly #receiver: TestReceiver;

  private constructor(account: Account, receiver: TestReceiver, path: string, created: Response) {
    this.account = account;
    this.#receiver = receiver;
    this.path = path;
    this.id = created.body.id;
    this.secret = created.body.secret;
  }

  static async open(
    server: Reachable,
    receiver: TestReceiver,
    subscription: object = {},
  ): Promise<Subscriber> {
    const account = await openAccount(server);
    await linkStore(account);
    const { origin, ca } = receiver;
    await account.control.post("/trusted-receivers").send({ origin, ca_pem: ca }).expect(204);
    return Subscriber.also(account, receiver, subscription);
  }

  /** A further endpoint of an integrator. */
  static async also(account: Account, receiver: TestReceiver, changes: object = {}): Promise<Subscriber> {
    const path = `/${randomUUID()}`;
    const subscription = { url: `${receiver.origin}${path}`, ...changes };
    const created = await account.api.post("/v1/webhooks").send(subscription).expect(201);
    return new Subscriber(account, receiver, path, created);
  }

  /** The origin of its endpoint. */
  get origin(): string {
    return this.#receiver.origin;
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

  create(more: object = {}): Test {
    return createDelivery(this.account, randomUUID(), more);
  }

  move(deliveryId: string, action: string, more: object = {}): Test {
    return actAsCourier(this.account, deliveryId, action, more);
  }

  advance(seconds: number): Test {
    return advanceClock(this.account, seconds);
  }

  /** The subscription in the list; undefined if it is missing. */
  async listed() {
    const { body } = await this.account.api.get("/v1/webhooks").expect(200);
    return body.items.find(({ id }: { id: string }) => id === this.id);
  }

  test(): Test {
    return this.account.api.post(`/v1/webhooks/${this.id}/test`);
  }

  /** The seconds between delivery attempts, by their timestamps. */
  get gaps(): number[] {
    const times = this.arrivals.map(({ headers }) => Number(headers["webhook-timestamp"]));
    return times.slice(1).map((time, index) => time - (times[index] ?? 0));
  }
}
