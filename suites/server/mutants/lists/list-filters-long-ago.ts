import { formatInstant } from "../../../../reference-server/domain/instants.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { replaceOperation } from "../operators/operations.ts";

const MONTH_MS = 30 * 24 * 3_600_000;

type ListQuery = Call<"listDeliveries">["query"];

const limitToLastMonthIf = (applies: (query: ListQuery) => boolean): Mutate =>
  replaceOperation("listDeliveries", (call, original) => {
    const { created_from = formatInstant(call.now - MONTH_MS) } = call.query;
    return original(applies(call.query) ? { ...call, query: { ...call.query, created_from } } : call);
  });

export const listFiltersLongAgoMutants: Mutants = {
  "reference-only-found-in-the-last-month": {
    fault: "the filter external_ref finds only recent deliveries",
    breaks: [{ clause: "LIST-19" }],
    mutate: limitToLastMonthIf(({ external_ref }) => external_ref !== undefined),
  },
  "creation-time-only-found-in-the-last-month": {
    fault: "created_from finds only recent deliveries",
    breaks: [{ clause: "LIST-33" }],
    mutate: replaceOperation("listDeliveries", (call, original) => {
      const { created_from } = call.query;
      const earliest = formatInstant(call.now - MONTH_MS);
      const isOlder = created_from !== undefined && Date.parse(created_from) < Date.parse(earliest);
      return original(isOlder ? { ...call, query: { ...call.query, created_from: earliest } } : call);
    }),
  },
  "only-deliveries-of-the-last-month-are-read": {
    fault: "a read of a delivery that was created over a month ago returns 404",
    breaks: [{ clause: "DLV-92" }],
    mutate: replaceOperation("getDelivery", async (call, original) => {
      const reply = await original(call);
      if (Date.parse(reply.body.created_at) < call.now - MONTH_MS) throw new DomainError("BULUNAMADI");
      return reply;
    }),
  },
  "reference-at-a-store-only-found-in-the-last-month": {
    fault: "the filters external_ref and external_store_id find only recent deliveries",
    breaks: [{ clause: "LIST-19", case: "by its order number and its store" }],
    mutate: limitToLastMonthIf(
      ({ external_ref, external_store_id }) => external_ref !== undefined && external_store_id !== undefined,
    ),
  },
};
