import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { formatInstant } from "../../../reference-server/domain/instants.ts";
import { compose } from "../mutants/operators/compose.ts";
import { alterListParameter } from "../mutants/operators/documents.ts";
import { replaceOperation } from "../mutants/operators/operations.ts";

const DAYS_30_MS = 30 * 24 * 3_600_000;

/** OPEN-133: a list without a time or external_ref covers thirty days. */
export const lastThirtyDays = replaceOperation("listDeliveries", (call, original) => {
  const { query } = call;
  const { from, created_from, created_to, external_ref, since } = query;
  const hasTimeOrReference = [from, created_from, created_to, external_ref, since].some(
    (one) => one !== undefined,
  );
  return original(
    hasTimeOrReference ? call : { ...call, query: { ...query, from: formatInstant(call.now - DAYS_30_MS) } },
  );
});

/** The lag of a replica. */
const BEHIND_MS = 400;

/** True if the replica has a change that was made at this time on the integrator's clock. */
type HasArrived = (madeAt: number) => boolean;

/** OPEN-146: list reads alternate between two replicas, one of which lags. */
export function laggingReplicas(deps: Dependencies): Dependencies {
  let reads = 0;
  const copyAt = (now: number): HasArrived => {
    reads += 1;
    return reads % 2 === 0 ? () => true : (madeAt) => madeAt <= now - BEHIND_MS;
  };
  return compose(
    replaceOperation("listDeliveries", (call, original) => {
      const hasArrived = copyAt(call.now);
      const { deliveries } = call.deps.records;
      const page: typeof deliveries.page = async (...args) =>
        (await deliveries.page(...args)).filter(({ updated_at }) => hasArrived(updated_at));
      const records = { ...call.deps.records, deliveries: { ...deliveries, page } };
      return original({ ...call, deps: { ...call.deps, records } });
    }),
    replaceOperation("listWebhooks", (call, original) => {
      const hasArrived = copyAt(call.now);
      const { webhooks } = call.deps.records;
      const list: typeof webhooks.list = async (...args) =>
        (await webhooks.list(...args)).filter(({ created_at }) => hasArrived(created_at));
      const records = { ...call.deps.records, webhooks: { ...webhooks, list } };
      return original({ ...call, deps: { ...call.deps, records } });
    }),
    replaceOperation("listStores", (call, original) => {
      const hasArrived = copyAt(call.now);
      const { stores } = call.deps.records;
      const list: typeof stores.list = async (...args) =>
        (await stores.list(...args)).filter(({ created_at }) => hasArrived(created_at));
      const records = { ...call.deps.records, stores: { ...stores, list } };
      return original({ ...call, deps: { ...call.deps, records } });
    }),
  )(deps);
}

const LARGEST_PAGE = 200;

/** OPEN-135: a limit out of bounds is clamped. */
export const clampsLimit = (deps: Dependencies): Dependencies =>
  replaceOperation("listDeliveries", (call, original) => {
    const { limit } = call.query;
    const cut = limit === undefined ? {} : { limit: Math.min(LARGEST_PAGE, Math.max(1, limit)) };
    return original({ ...call, query: { ...call.query, ...cut } });
  })(alterListParameter("limit", { type: "integer" })(deps));

const SHORT_PAGE = 40;

/** OPEN-136: a page has at most forty deliveries. */
export const shortPages = replaceOperation("listDeliveries", (call, original) => {
  const { limit = SHORT_PAGE } = call.query;
  return original({ ...call, query: { ...call.query, limit: Math.min(SHORT_PAGE, limit) } });
});

const LIST_START = { updated_at: 0, change_number: 0 };

/** OPEN-136: a list begins with an empty page that has a next page. */
export const emptyFirstPages = replaceOperation("listDeliveries", async (call, original) => {
  const page = await original(call);
  if (call.query.since !== undefined || page.body.items.length === 0) return page;
  const next_cursor = call.deps.cursor.encode(LIST_START);
  return { status: page.status, body: { ...page.body, items: [], next_cursor, has_more: true } };
});

const REPEATED_ITEMS = 2;

/** A cursor points before the page's last two items, so that pages overlap. */
export const cursorsThatOverlap = replaceOperation("listDeliveries", async (call, original) => {
  const page = await original(call);
  const { items } = page.body;
  if (items.length <= REPEATED_ITEMS) return page;
  const query = { ...call.query, limit: items.length - REPEATED_ITEMS };
  const { next_cursor = null } = (await original({ ...call, query })).body;
  return { status: page.status, body: { ...page.body, next_cursor } };
});
