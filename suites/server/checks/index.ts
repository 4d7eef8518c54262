import type { AnyCheck } from "../check.ts";
import { authentication } from "./access/authentication.ts";
import { isolation } from "./access/isolation.ts";
import { tokenBounds } from "./access/token-bounds.ts";
import { tokens } from "./access/tokens.ts";
import { cancellation } from "./changes/cancellation.ts";
import { cancellationBounds } from "./changes/cancellation-bounds.ts";
import { changeBounds } from "./changes/change-bounds.ts";
import { changes } from "./changes/changes.ts";
import { scheduleChanges } from "./changes/schedule-changes.ts";
import { courier } from "./courier/courier.ts";
import { proofs } from "./courier/proofs.ts";
import { states } from "./courier/states.ts";
import { tracking } from "./courier/tracking.ts";
import type { Check } from "./define.ts";
import { creation } from "./deliveries/creation.ts";
import { creationBounds } from "./deliveries/creation-bounds.ts";
import { deliveryFields } from "./deliveries/delivery-fields.ts";
import { idempotency } from "./deliveries/idempotency.ts";
import { paymentTypes } from "./deliveries/payment-types.ts";
import { scheduled } from "./deliveries/scheduled.ts";
import { testDeliveries } from "./deliveries/test-deliveries.ts";
import { times } from "./deliveries/times.ts";
import { listFilters } from "./lists/list-filters.ts";
import { paging } from "./lists/paging.ts";
import { models } from "./models/models.ts";
import { passiveChecks } from "./passive/passive.ts";
import { contentType } from "./protocol/content-type.ts";
import { errors } from "./protocol/errors.ts";
import { health } from "./protocol/health.ts";
import { limits } from "./protocol/limits.ts";
import { versioning } from "./protocol/versioning.ts";
import { credit } from "./quotes/credit.ts";
import { quoteBounds } from "./quotes/quote-bounds.ts";
import { quotes } from "./quotes/quotes.ts";
import { quotesInTown } from "./quotes/quotes-in-town.ts";
import { deliveryAreas } from "./stores/areas.ts";
import { pairing } from "./stores/pairing.ts";
import { registrationBounds } from "./stores/registration-bounds.ts";
import { serviceArea } from "./stores/service-area.ts";
import { stores } from "./stores/stores.ts";
import { addresses } from "./webhooks/addresses.ts";
import { closing } from "./webhooks/closing.ts";
import { emission } from "./webhooks/emission.ts";
import { envelope } from "./webhooks/envelope.ts";
import { eventKinds } from "./webhooks/event-kinds.ts";
import { retries } from "./webhooks/retries.ts";
import { signatures } from "./webhooks/signatures.ts";
import { subscriptionBounds } from "./webhooks/subscription-bounds.ts";
import { subscriptions } from "./webhooks/subscriptions.ts";
import { subscriptionsChanges } from "./webhooks/subscriptions-changes.ts";
import { subscriptionsEvents } from "./webhooks/subscriptions-events.ts";

/** The experiments of a conformance run, group by group; a group's name is the first part of its checks' ids. */
export const experiments: readonly Check[] = [
  ...subscriptions,
  ...subscriptionsChanges,
  ...subscriptionsEvents,
  ...envelope,
  ...signatures,
  ...emission,
  ...eventKinds,
  ...tracking,
  ...addresses,
  ...closing,
  ...retries,
  ...idempotency,
  ...creation,
  ...creationBounds,
  ...changeBounds,
  ...registrationBounds,
  ...quoteBounds,
  ...subscriptionBounds,
  ...cancellationBounds,
  ...tokenBounds,
  ...deliveryFields,
  ...testDeliveries,
  ...stores,
  ...pairing,
  ...quotes,
  ...quotesInTown,
  ...deliveryAreas,
  ...serviceArea,
  ...isolation,
  ...credit,
  ...paymentTypes,
  ...cancellation,
  ...changes,
  ...listFilters,
  ...models,
  ...paging,
  ...scheduleChanges,
  ...states,
  ...authentication,
  ...tokens,
  ...contentType,
  ...times,
  ...errors,
  ...health,
  ...versioning,
  ...limits,
  ...courier,
  ...proofs,
  ...scheduled,
];

/** Everything that a conformance run verifies. */
export const checks: readonly AnyCheck[] = [...experiments, ...passiveChecks];
