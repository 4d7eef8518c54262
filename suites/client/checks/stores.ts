import { clause } from "../../../openapi/generated/clauses.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { member } from "../../core/json.ts";
import type { ClientCheck } from "../check.ts";

export const storesChecks: readonly ClientCheck[] = [
  {
    id: "stores.coordinates",
    title: "a store is registered with its coordinates",
    clauses: [clause["CLIENT-4"]],
    scenarios: [],
    judge(evidence) {
      const requests = evidence.requests.filter(({ operation }) => operation === "registerStore");
      if (requests.length === 0) {
        throw new CheckSkipped("the client registered no store: link one with the pairing code");
      }
      for (const one of requests) {
        const hasBoth = ["lat", "lng"].every((name) => typeof member(one.json, "address", name) === "number");
        evidence
          .expectThat("address", member(one.json, "address"), [one])
          .satisfies("an object whose lat and lng are numbers", hasBoth);
      }
      return [];
    },
  },
];
