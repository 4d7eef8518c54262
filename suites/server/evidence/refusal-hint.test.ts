import { expect, test } from "vitest";
import type { OperationId } from "../../core/contract/document.ts";
import type { Exchange } from "../../core/exchange.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import { refusalHint } from "./refusal-hint.ts";

let at = 0;

interface Sent {
  readonly operation?: OperationId;
  readonly path?: string;
  readonly body?: object;
  readonly status?: number;
  readonly json?: unknown;
}

/** A step with an exchange after all earlier ones. */
function step({
  operation = "createDelivery",
  path = "/v1/deliveries",
  body,
  status = 201,
  json = {},
}: Sent) {
  at += 1;
  const exchange: Exchange = {
    operation,
    method: "POST",
    url: `http://127.0.0.1:8080${path}`,
    requestHeaders: {},
    requestBody: body && JSON.stringify(body),
    startedAt: at,
    durationMs: 0,
    failure: undefined,
    violates: undefined,
    response: { status, headers: {}, bytes: Buffer.alloc(0), text: "", json },
  };
  return { exchange, at };
}

const acted = (action: string) => {
  at += 1;
  return { control: { method: "POST", path: "/deliveries/d-1/courier", body: { action } }, at } as const;
};

const refusalOf = ({ exchange }: { readonly exchange: Exchange }) =>
  new CheckFailure({ subject: "it", relation: "to answer", expected: 201, actual: 409 }, { exchange });

const delivery = (status: string) => step({ json: { id: "d-1", status } });
const patch = () => step({ operation: "updateDelivery", path: "/v1/deliveries/d-1", status: 409 });

test("a refused change has the delivery's last status, and the courier actions after it", () => {
  const steps = [delivery("QUEUED"), acted("offered"), delivery("ASSIGNED")];
  expect(refusalHint(refusalOf(patch()), steps)).toBe("the delivery was ASSIGNED");
  const hint = "the delivery was ASSIGNED before the courier action at_pickup";
  const later = [...steps, acted("at_pickup")];
  expect(refusalHint(refusalOf(patch()), later)).toBe(hint);
  const last = [...later, acted("picked_up")];
  const hintOfBoth = "the delivery was ASSIGNED before the courier actions at_pickup, picked_up";
  expect(refusalHint(refusalOf(patch()), last)).toBe(hintOfBoth);
});

test("without a response of the delivery, or for another status than 409, there is no hint", () => {
  expect(refusalHint(refusalOf(patch()), [acted("offered")])).toBeUndefined();
  const steps = [delivery("QUEUED")];
  const invalid = step({ operation: "updateDelivery", path: "/v1/deliveries/d-1", status: 400 });
  expect(refusalHint(refusalOf(invalid), steps)).toBeUndefined();
  expect(refusalHint(new CheckFailure({ subject: "x", relation: "to be" }), steps)).toBeUndefined();
});

const order = (external_ref: string, store: string, status = 201) =>
  step({
    body: { external_ref, store: { external_store_id: store } },
    status,
    json: status === 409 ? { error: { code: "EXTERNAL_REF_TEKRAR" } } : { id: "d-1" },
  });

test.each([
  ["an order of the store", [order("a", "one")], undefined],
  ["an order of another store", [order("a", "two")], "only an order of another store has this external_ref"],
  [
    "a refused order",
    [order("a", "one", 422), order("b", "one")],
    "only an order that was refused with 422 had this external_ref",
  ],
  ["no other order", [order("b", "one")], undefined],
] as const)("an external_ref that is refused as taken, with %s", (_, steps, hint) => {
  expect(refusalHint(refusalOf(order("a", "one", 409)), steps)).toBe(hint);
});

test("an Idempotency-Key that is refused as used, with another integrator's order", () => {
  const withKey = (sender: string, status: number) => {
    const { exchange, at } = order("a", "one", status);
    const response = exchange.response && {
      ...exchange.response,
      json: { error: { code: "IDEMPOTENCY_CAKISMA" } },
    };
    return { exchange: { ...exchange, sender, requestHeaders: { "idempotency-key": "k" }, response }, at };
  };
  const steps = [withKey("one", 201)];
  const hint = "only an order of another integrator has this Idempotency-Key";
  expect(refusalHint(refusalOf(withKey("two", 409)), steps)).toBe(hint);
  expect(refusalHint(refusalOf(withKey("one", 409)), steps)).toBeUndefined();
});
