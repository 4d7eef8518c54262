import { requestFault, schemaFault } from "../../core/document.ts";
import { NotTestable } from "../../core/failure.ts";
import type { ClientCheck } from "../check.ts";
import type { Evidence } from "../session/evidence.ts";
import { keyOf } from "../session/order.ts";
import { member, type Seen, textMember } from "../session/request.ts";

const withBody = ({ seen }: Evidence): readonly Seen[] =>
  seen.filter(({ operation, body }) => operation !== undefined && body.length > 0);

/** @throws NotTestable where there is no creation */
function creations({ creations: requests }: Evidence): readonly Seen[] {
  if (requests.length === 0) throw new NotTestable("the client created nothing: hand over an order");
  return requests;
}

const TIME_MEMBERS = ["ready_at", "scheduled_for"];
const TIME_PARAMETERS = ["from", "created_from", "created_to"];
/** A plus sign that wasn't percent-encoded may have become a space on its way; that is another matter. */
const ZONE = /(?:[zZ]|[+ -]\d{2}(?::?\d{2})?)$/;
const IS_TIME = /\d{2}:\d{2}/;

/** Every time in a request, by name. */
const timesIn = (request: Seen): readonly (readonly [string, string])[] => [
  ...TIME_MEMBERS.flatMap((name) => {
    const value = textMember(request.json, name);
    return value === undefined ? [] : [[name, value] as const];
  }),
  ...TIME_PARAMETERS.flatMap((name) => request.query.getAll(name).map((value) => [name, value] as const)),
];

/** Times aside: which forms of ISO 8601 are understood is open (OPEN-7), and zones have a check of their own. */
function withoutTimes(json: unknown): unknown {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return json;
  return Object.fromEntries(Object.entries(json).filter(([name]) => !TIME_MEMBERS.includes(name)));
}

const DECIMALS = /^-?\d+(?:\.\d{1,3})?$/;

/** What is wrong with the quantities of an order; the document's schema can't state decimal places. */
function quantityFault(json: unknown): string | undefined {
  const items = member(json, "items");
  const quantities = Array.isArray(items) ? items.map((item) => member(item, "quantity")) : [];
  const wrong = quantities.find((one) => typeof one === "number" && !DECIMALS.test(String(one)));
  return wrong === undefined ? undefined : `a quantity of ${wrong} has more than 3 decimal places`;
}

export const bodies: readonly ClientCheck[] = [
  {
    id: "bodies.content-type",
    title: "every body is declared as application/json, the token request's too",
    clauses: ["CLIENT-2"],
    scenarios: [],
    mutants: ["form-token-request", "undeclared-bodies"],
    judge(evidence) {
      const requests = withBody(evidence);
      if (requests.length === 0) throw new NotTestable("the client sent no body: let it get a token");
      const wrong = requests.find(
        ({ headers }) => !/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""),
      );
      if (wrong) {
        evidence.fail(`the body of ${wrong.operation} isn't declared as JSON`, [wrong], {
          expected: "Content-Type: application/json",
          actual: wrong.headers["content-type"] ?? "no Content-Type",
        });
      }
      return [`${requests.length} bodies`];
    },
  },
  {
    id: "times.zoned",
    title: "every time that the client sends carries an offset or Z",
    clauses: ["CLIENT-3"],
    scenarios: [],
    mutants: ["times-without-zone"],
    judge(evidence) {
      const sent = evidence.seen.flatMap((one) => timesIn(one).map((time) => ({ one, time })));
      if (sent.length === 0) {
        throw new NotTestable("the client sent no time: give an order a ready_at or a scheduled_for");
      }
      const wrong = sent.find(({ time: [, value] }) => IS_TIME.test(value) && !ZONE.test(value.trim()));
      if (wrong) {
        evidence.fail(`${wrong.time[0]} has no zone`, [wrong.one], {
          expected: "a time that ends in Z or an offset",
          actual: wrong.time[1],
        });
      }
      return [`${sent.length} times`];
    },
  },
  {
    id: "stores.coordinates",
    title: "a store is registered with its coordinates",
    clauses: ["CLIENT-4"],
    scenarios: [],
    mutants: ["store-without-coordinates"],
    judge(evidence) {
      const requests = evidence.seen.filter(({ operation }) => operation === "registerStore");
      if (requests.length === 0) {
        throw new NotTestable("the client registered no store: link one with the pairing code");
      }
      const without = requests.find(({ json }) =>
        ["lat", "lng"].some((name) => typeof member(json, "address", name) !== "number"),
      );
      if (without) evidence.fail("a store was registered without address.lat and address.lng", [without]);
      return [];
    },
  },
  {
    id: "orders.key",
    title: "every creation carries an Idempotency-Key of 8 to 128 characters",
    clauses: ["CLIENT-5"],
    scenarios: [],
    mutants: ["no-key", "short-keys"],
    judge(evidence) {
      const requests = creations(evidence);
      const wrong = requests.find((one) => {
        const { length } = keyOf(one) ?? "";
        return length < 8 || length > 128;
      });
      if (wrong) {
        const key = keyOf(wrong);
        evidence.fail("a creation has no usable Idempotency-Key", [wrong], {
          expected: "8 to 128 characters",
          actual: key === undefined ? "no such header" : `${key.length} characters`,
        });
      }
      return [`${requests.length} creations`];
    },
  },
  {
    id: "orders.new-key",
    title: "each new order has a key of its own",
    clauses: ["CLIENT-6"],
    scenarios: [],
    mutants: ["one-key-for-all"],
    judge(evidence) {
      const { orders } = evidence;
      if (orders.length < 2) throw new NotTestable("the client handed over fewer than two orders");
      const users = new Map<string, Seen>();
      for (const { tries } of orders) {
        const [first] = tries;
        const key = first && keyOf(first);
        if (!first || key === undefined) continue;
        const before = users.get(key);
        if (before) evidence.fail("two orders were sent with the same Idempotency-Key", [before, first]);
        users.set(key, first);
      }
      if (users.size === 0) throw new NotTestable("no order has an Idempotency-Key");
      return [`${users.size} orders`];
    },
  },
  {
    id: "orders.no-zero-point",
    title: "an order without a known point has no coordinates, rather than 0,0",
    clauses: ["CLIENT-8"],
    scenarios: [],
    mutants: ["zero-coordinates"],
    judge(evidence) {
      const points = creations(evidence).map((one) => ({
        one,
        lat: member(one.json, "dropoff", "lat"),
        lng: member(one.json, "dropoff", "lng"),
      }));
      const zero = points.find(({ lat, lng }) => lat === 0 && lng === 0);
      if (zero) evidence.fail("an order was sent with the coordinates 0,0", [zero.one]);
      const without = points.filter(({ lat, lng }) => lat === undefined && lng === undefined);
      if (without.length === 0) {
        throw new NotTestable("every order had coordinates: hand over one whose address has none");
      }
      return [`${without.length} creations without coordinates`];
    },
  },
  {
    id: "orders.fit",
    title: "creations keep the rules of the body: required fields, types and bounds",
    clauses: ["CLIENT-9"],
    scenarios: [],
    mutants: ["amount-as-text", "quantities-unrounded"],
    judge(evidence) {
      for (const one of creations(evidence)) {
        const fault = schemaFault("NewDelivery", withoutTimes(one.json)) ?? quantityFault(one.json);
        if (fault !== undefined) evidence.fail(`a creation breaks the rules of its body: ${fault}`, [one]);
      }
      return [];
    },
  },
  {
    id: "bodies.fit",
    title: "every other body keeps its rules too, and a list asks for 1 to 200 deliveries",
    clauses: ["CLIENT-31"],
    scenarios: [],
    mutants: ["store-without-name", "limit-too-high"],
    judge(evidence) {
      const others = evidence.seen.filter(({ operation }) => operation !== "createDelivery");
      if (others.length === 0) throw new NotTestable("the client sent nothing");
      for (const one of others) {
        const { operation, query, body, json } = one;
        if (operation === undefined) continue;
        const fault = body.length > 0 ? requestFault(operation, withoutTimes(json)) : undefined;
        if (fault !== undefined) evidence.fail(`the body of ${operation} breaks its rules: ${fault}`, [one]);
        const limit = operation === "listDeliveries" ? query.get("limit") : null;
        if (limit !== null && !(/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 200)) {
          evidence.fail("a list was asked for with a limit outside 1 to 200", [one], {
            expected: "1 to 200",
            actual: limit,
          });
        }
      }
      return [];
    },
  },
];
