import { DomainError } from "../../../../reference-server/errors.ts";
import type { Parts } from "../../../../reference-server/parts.ts";
import type { Mutant, Mutate } from "../mutant.ts";

type Request = Parameters<Parts["checkContentType"]>[1];

/** The server that refuses an operation to clients that it doesn't like, by what their requests look like. */
const refusing =
  (operationId: string, isUnloved: (request: Request) => boolean): Mutate =>
  (parts) => ({
    ...parts,
    checkContentType: (route, request) => {
      if (route.operationId === operationId && isUnloved(request)) throw new DomainError("DOGRULAMA");
      parts.checkContentType(route, request);
    },
  });

export const clientsMutants = {
  "quotes-for-one-client-alone": {
    fault: "quotes are refused to whatever isn't a browser's or Node's fetch",
    breaks: [{ clause: "QUOTE-16" }],
    mutate: refusing("createQuote", ({ headers }) => headers["sec-fetch-mode"] === undefined),
  },
  "orders-for-clients-of-a-name-alone": {
    fault: "orders are refused to clients that name no version of themselves",
    breaks: [{ clause: "NEW-1" }],
    mutate: refusing("createDelivery", ({ headers }) => !/\/\d/.test(headers["user-agent"] ?? "")),
  },
} satisfies Record<string, Mutant>;
