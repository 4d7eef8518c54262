import { clause } from "../../../openapi/generated/clauses.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { described } from "../../core/text/shown-value.ts";
import type { ClientCheck } from "../check.ts";
import type { Evidence } from "../session/evidence.ts";
import type { RecordedRequest } from "../session/request.ts";
import { expectValidBody } from "../support/body-faults.ts";
import { ordersChecks } from "./orders.ts";
import { storesChecks } from "./stores.ts";
import { timesChecks } from "./times.ts";

const requestsWithBody = ({ requests }: Evidence): readonly RecordedRequest[] =>
  requests.filter(({ operation, body }) => operation !== undefined && body.length > 0);

export const bodiesChecks: readonly ClientCheck[] = [
  {
    id: "bodies.content-type",
    title: "every body, including the token request's, is declared as application/json",
    clauses: [clause["CLIENT-2"]],
    scenarios: [],
    judge(evidence) {
      const requests = requestsWithBody(evidence);
      if (requests.length === 0) throw new CheckSkipped("the client sent no body: make it request a token");
      for (const one of requests) {
        const type = one.headers["content-type"];
        evidence
          .expectThat(`the Content-Type of ${one.operation}`, type ?? described("no such header"), [one])
          .satisfies("application/json", /^application\/json\s*(;|$)/i.test(type ?? ""));
      }
      return [`${requests.length} bodies`];
    },
  },
  ...timesChecks,
  ...storesChecks,
  ...ordersChecks,
  {
    id: "bodies.other-schemas",
    title:
      "every body except those of orders is valid against its schema, and list requests have a limit from 1 to 200",
    clauses: [clause["CLIENT-31"]],
    scenarios: [],
    judge(evidence) {
      const others = evidence.requests.filter(({ operation }) => operation !== "createDelivery");
      if (others.length === 0) throw new CheckSkipped("the client sent only orders");
      for (const one of others) {
        const { operation, query, body } = one;
        if (operation === undefined) continue;
        if (body.length > 0) expectValidBody(evidence, operation, one);
        const limit = operation === "listDeliveries" ? query.get("limit") : null;
        const isAllowed =
          limit === null || (/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 200);
        evidence
          .expectThat(`limit of ${operation}`, limit, [one])
          .satisfies("an integer from 1 to 200", isAllowed);
      }
      return [];
    },
  },
];
