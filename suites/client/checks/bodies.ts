import { clause } from "../../../openapi/generated/clauses.ts";
import { NotTestable } from "../../core/grading/failure.ts";
import type { Evidence } from "../session/evidence.ts";
import type { RecordedRequest } from "../session/request.ts";
import { requestFault } from "../support/body-faults.ts";
import type { ClientCheck } from "./define.ts";
import { ordersChecks } from "./orders.ts";
import { storesChecks } from "./stores.ts";
import { timesChecks } from "./times.ts";

const withBody = ({ requests }: Evidence): readonly RecordedRequest[] =>
  requests.filter(({ operation, body }) => operation !== undefined && body.length > 0);

export const bodiesChecks: readonly ClientCheck[] = [
  {
    id: "bodies.content-type",
    title: "every body, including the token request's, is declared as application/json",
    clauses: [clause["CLIENT-2"]],
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
  ...timesChecks,
  ...storesChecks,
  ...ordersChecks,
  {
    id: "bodies.fit",
    title: "every other body follows its schema too, and lists ask for 1 to 200 deliveries",
    clauses: [clause["CLIENT-31"]],
    scenarios: [],
    mutants: ["store-without-name", "limit-too-high"],
    judge(evidence) {
      const others = evidence.requests.filter(({ operation }) => operation !== "createDelivery");
      if (others.length === 0) throw new NotTestable("the client sent nothing");
      for (const one of others) {
        const { operation, query, body } = one;
        if (operation === undefined) continue;
        const fault = body.length > 0 ? requestFault(operation, one) : undefined;
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
