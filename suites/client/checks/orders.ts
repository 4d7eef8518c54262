import { clause } from "../../../openapi/generated/clauses.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { member } from "../../core/json.ts";
import { described } from "../../core/text/shown-value.ts";
import type { ClientCheck } from "../check.ts";
import type { Evidence } from "../session/evidence.ts";
import type { RecordedRequest } from "../session/request.ts";
import { keyOf, referenceOf } from "../session/task.ts";
import { expectValidBody } from "../support/body-faults.ts";

/** @throws CheckSkipped if the client created no order */
function creations({ creations: requests }: Evidence): readonly RecordedRequest[] {
  if (requests.length === 0) throw new CheckSkipped("the client created no order: place an order");
  return requests;
}

/**
 * True if orders of different starts have different keys. A start may repeat the last order of an earlier start
 * with that order's key.
 */
function differBetweenStarts(firsts: readonly RecordedRequest[]): boolean {
  const byKey = Map.groupBy(firsts, keyOf);
  const areOneOrder = (alike: readonly RecordedRequest[]) => new Set(alike.map(referenceOf)).size === 1;
  return byKey.size > 1 && [...byKey.values()].every(areOneOrder);
}

/** An order's name in a message. */
const orderInWords = (creation: RecordedRequest): string =>
  `external_ref ${JSON.stringify(referenceOf(creation)) ?? "left out"}`;

/** True for a missing field and for null, because null may mean an omitted field (OPEN-124). */
const isOmitted = (value: unknown): boolean => value === undefined || value === null;

export const ordersChecks: readonly ClientCheck[] = [
  {
    id: "orders.key",
    title: "every creation carries an Idempotency-Key of 8 to 128 characters",
    clauses: [clause["CLIENT-5"]],
    scenarios: [],
    judge(evidence) {
      const requests = creations(evidence);
      for (const one of requests) {
        const key = keyOf(one);
        const length = key?.length ?? 0;
        evidence
          .expectThat(
            "the Idempotency-Key of a creation",
            described(key ? `${length} characters` : "no such header"),
            [one],
          )
          .satisfies("8 to 128 characters", length >= 8 && length <= 128);
      }
      return [`${requests.length} creations`];
    },
  },
  {
    id: "orders.new-key",
    title: "each new order has its own key",
    clauses: [clause["CLIENT-6"]],
    scenarios: [],
    judge(evidence) {
      const { orders } = evidence;
      const keyed = orders.flatMap(({ startNumber, tries: [first] }) =>
        first && keyOf(first) !== undefined ? [{ startNumber, first }] : [],
      );
      if (keyed.length === 0 && orders.length > 0) throw new CheckSkipped("no order has an Idempotency-Key");
      // Compares only keys of the same start, because each start has its own integrator.
      const users = new Map<string, RecordedRequest>();
      for (const { startNumber, first } of keyed) {
        const user = `${startNumber} ${keyOf(first)}`;
        const before = users.get(user);
        if (before) {
          const note = `${[before, first].map(orderInWords).join(" and ")} were sent with this key`;
          evidence
            .expectThat("the Idempotency-Key of a new order", keyOf(first), [before, first], note)
            .isNot(keyOf(before));
        }
        users.set(user, first);
      }
      const areInOneStart = new Set(keyed.map(({ startNumber }) => startNumber)).size < keyed.length;
      if (!areInOneStart && !differBetweenStarts(keyed.map(({ first }) => first))) {
        throw new CheckSkipped(
          "no start had two orders, and different starts may use the same keys: place a second order in the same start",
        );
      }
      return [`${users.size} orders`];
    },
  },
  {
    id: "orders.no-zero-point",
    title: "an order without a known location has no coordinates, not 0,0",
    clauses: [clause["CLIENT-8"]],
    scenarios: [],
    judge(evidence) {
      const points = creations(evidence).map((one) => ({
        one,
        lat: member(one.json, "dropoff", "lat"),
        lng: member(one.json, "dropoff", "lng"),
      }));
      for (const { one, lat, lng } of points) {
        const note = "leave out unknown coordinates";
        evidence.expectThat("dropoff's lat and lng", [lat, lng], [one], note).isNot([0, 0]);
      }
      const without = points.filter(({ lat, lng }) => isOmitted(lat) && isOmitted(lng));
      if (without.length === 0) {
        throw new CheckSkipped(
          "every order had coordinates: place an order whose address has none (or declare --without orders-without-coordinates)",
        );
      }
      return [`${without.length} creations without coordinates`];
    },
  },
  {
    id: "orders.schema",
    title: "creations follow the body's schema: required fields, types and bounds",
    clauses: [clause["CLIENT-9"]],
    scenarios: [],
    judge(evidence) {
      for (const one of creations(evidence)) {
        expectValidBody(evidence, "createDelivery", one);
      }
      return [];
    },
  },
];
