import { formatInstant } from "../../../reference-server/domain/instants.ts";
import type { Parts } from "../../../reference-server/parts.ts";
import { alterListParameter } from "../mutants/operators/documents.ts";
import { replaceOperation } from "../mutants/operators/operations.ts";

const DAYS_30_MS = 30 * 24 * 3_600_000;

/** OPEN-133: a list that isn't asked for a time or an order number goes back thirty days. */
export const lastThirtyDays = replaceOperation("listDeliveries", (call, original) => {
  const { query } = call;
  const { from, created_from, created_to, external_ref, since } = query;
  const asked = [from, created_from, created_to, external_ref, since].some((one) => one !== undefined);
  return original(
    asked ? call : { ...call, query: { ...query, from: formatInstant(call.now - DAYS_30_MS) } },
  );
});

const LARGEST_PAGE = 200;

/** OPEN-135: a limit out of bounds is brought back into them. */
export const limitsCut = (parts: Parts): Parts =>
  replaceOperation("listDeliveries", (call, original) => {
    const { limit } = call.query;
    const cut = limit === undefined ? {} : { limit: Math.min(LARGEST_PAGE, Math.max(1, limit)) };
    return original({ ...call, query: { ...call.query, ...cut } });
  })(alterListParameter("limit", { type: "integer" })(parts));

const SHORT_PAGE = 40;

/** OPEN-136: no page is longer than forty, whatever it is asked for. */
export const shortPages = replaceOperation("listDeliveries", (call, original) => {
  const { limit = SHORT_PAGE } = call.query;
  return original({ ...call, query: { ...call.query, limit: Math.min(SHORT_PAGE, limit) } });
});

/** Cursors of 500 characters. */
export const longCursors = (parts: Parts): Parts => ({
  ...parts,
  cursor: {
    encode: (place) => `${parts.cursor.encode(place)}~`.padEnd(500, "0"),
    decode: (text) => parts.cursor.decode(text.split("~")[0] ?? ""),
  },
});
