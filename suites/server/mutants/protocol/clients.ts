import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import type { Mutants, Mutate } from "../mutant.ts";

type Request = Parameters<Dependencies["checkContentType"]>[1];

const refuseClients =
  (operationId: string, isRefused: (request: Request) => boolean): Mutate =>
  (deps) => ({
    ...deps,
    checkContentType: (route, request) => {
      if (route.operationId === operationId && isRefused(request)) throw new DomainError("DOGRULAMA");
      deps.checkContentType(route, request);
    },
  });

/** The clause that each operation's mutant breaks. Quotes and orders have mutants of their own below. */
const OPERATION_CLAUSES = {
  getHealth: "HEALTH-1",
  listPaymentTypes: "PAY-5",
  getStore: "REG-25",
  getDelivery: "DLV-57",
  listDeliveries: "LIST-1",
  cancelDelivery: "CANCEL-1",
} as const;

const OPERATIONS = [
  "getHealth",
  "listPaymentTypes",
  "getStore",
  "getDelivery",
  "listDeliveries",
  "cancelDelivery",
] as const satisfies readonly (keyof typeof OPERATION_CLAUSES)[];

const lacksFetchHeader: (request: Request) => boolean = ({ headers }) =>
  headers["sec-fetch-mode"] === undefined;

export const clientsMutants: Mutants = {
  ...forEachElement(
    OPERATIONS,
    (operation) => `${operation}-depends-on-the-http-client`,
    (operation) => ({
      fault: `${operation} refuses HTTP clients other than browsers and Node's fetch`,
      breaks: [{ clause: OPERATION_CLAUSES[operation] }],
      caughtBy: ["clients.alike"],
      mutate: refuseClients(operation, lacksFetchHeader),
    }),
  ),
  "quotes-depend-on-the-http-client": {
    fault: "quotes are refused to HTTP clients other than browsers and Node's fetch",
    breaks: [{ clause: "QUOTE-16" }],
    caughtBy: ["clients.alike"],
    mutate: refuseClients("createQuote", lacksFetchHeader),
  },
  "orders-depend-on-the-user-agent": {
    fault: "orders are refused to clients whose User-Agent has no version",
    breaks: [{ clause: "NEW-1" }],
    caughtBy: ["clients.alike"],
    mutate: refuseClients("createDelivery", ({ headers }) => !/\/\d/.test(headers["user-agent"] ?? "")),
  },
};
