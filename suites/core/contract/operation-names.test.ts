import { expect, test } from "vitest";
import { withOperationNames } from "./operation-names.ts";

test.each([
  ["createDelivery: expected status 201, got 200", "POST /v1/deliveries: expected status 201, got 200"],
  [
    "1 of 3 operations: updateDelivery; passed: getDelivery, getHealth",
    "1 of 3 operations: PATCH /v1/deliveries/{id}; passed: GET /v1/deliveries/{id}, GET /healthz",
  ],
  ["listDeliveryAreas and listDeliveries", "GET /v1/delivery-areas and GET /v1/deliveries"],
])("operation ids are replaced by method and path in %j", (text, named) => {
  expect(withOperationNames(text)).toBe(named);
});

test.each(["createDelivery-accepts-a-form", "createDeliveryNow", "/createDelivery", "is createable"])(
  "text without an operation id is unchanged: %s",
  (text) => {
    expect(withOperationNames(text)).toBe(text);
  },
);
