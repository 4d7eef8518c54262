import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dependencies } from "../dependencies.ts";
import type { RunningServer } from "../embedded.ts";
import { withStandingClock } from "../testing/clocks.ts";
import { onEachDatabase } from "../testing/databases.ts";
import { openReceiver, silence, status, type TestReceiver } from "../testing/receiver.ts";
import { Subscriber } from "../testing/subscriber.ts";

const createdOnly = { event_types: ["delivery.created"] };
const HOUR_S = 3600;
/** A wait that is long enough to measure. */
const LONG_MS = 60_000;
const SHORT_MS = 50;
/** The time in which an attempt must arrive at a silent endpoint, even on a busy machine. */
const SILENT_MS = 2000;
const SLOW_ANSWER_MS = 400;

const standingStill = (standstillMs: number) => (deps: Dependencies) =>
  withStandingClock({
    ...deps,
    limits: { ...deps.limits, webhooks: { ...deps.limits.webhooks, standstillMs } },
  });

onEachDatabase((database) => {
  let patient: RunningServer;
  let hasty: RunningServer;
  let receiver: TestReceiver;

  beforeAll(async () => {
    [patient, hasty, receiver] = await Promise.all([
      database.start({ mutate: standingStill(LONG_MS) }),
      database.start({ mutate: standingStill(SHORT_MS) }),
      openReceiver(),
    ]);
  });
  afterAll(async () => {
    await Promise.all([patient.close(), hasty.close()]);
    await receiver.close();
  });

  test("during an advance, the frozen clock waits for a silent endpoint as long as the request says", async () => {
    const subscriber = await Subscriber.open(patient, receiver, createdOnly);
    subscriber.answer((response, index) => (index < 2 ? silence : status(204))(response, index));
    await subscriber.create();
    await subscriber.until(1);
    const { control, clientId } = subscriber.account;
    const advance = (seconds: number, attempt_wait_ms: number) =>
      control.post(`/integrators/${clientId}/clock/advance`).send({ seconds, attempt_wait_ms }).expect(200);
    await advance(300, SILENT_MS);
    await advance(HOUR_S, LONG_MS);
    expect(subscriber.gaps).toEqual([20, 315]);
  });

  test("an advance can wait longer than usual for a response", async () => {
    const subscriber = await Subscriber.open(hasty, receiver, createdOnly);
    subscriber.answer(
      (response, index) => void pause(SLOW_ANSWER_MS).then(() => status(500)(response, index)),
    );
    await subscriber.create();
    await subscriber.until(1);
    const { control, clientId } = subscriber.account;
    await control
      .post(`/integrators/${clientId}/clock/advance`)
      .send({ seconds: 400, attempt_wait_ms: LONG_MS })
      .expect(200);
    expect(subscriber.gaps).toEqual([5, 300]);
  });

  test("a wait of no milliseconds is refused", async () => {
    const { account } = await Subscriber.open(hasty, receiver, createdOnly);
    await account.control
      .post(`/integrators/${account.clientId}/clock/advance`)
      .send({ seconds: 1, attempt_wait_ms: 0 })
      .expect(400);
  });
});
