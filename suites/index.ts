import { addresses } from "./addresses.ts";
import { deliveryAreas } from "./areas.ts";
import { authentication } from "./authentication.ts";
import { cancellation } from "./cancellation.ts";
import { cancellationBounds } from "./cancellation-bounds.ts";
import { changeBounds } from "./change-bounds.ts";
import { changes } from "./changes.ts";
import type { AnyCheck, Check } from "./check.ts";
import { closing } from "./closing.ts";
import { contentType } from "./content-type.ts";
import { courier } from "./courier.ts";
import { creation } from "./creation.ts";
import { creationBounds } from "./creation-bounds.ts";
import { credit } from "./credit.ts";
import { deliveryFields } from "./delivery-fields.ts";
import { emission } from "./emission.ts";
import { envelope } from "./envelope.ts";
import { errors } from "./errors.ts";
import { eventKinds } from "./event-kinds.ts";
import { health } from "./health.ts";
import { idempotency } from "./idempotency.ts";
import { isolation } from "./isolation.ts";
import { limits } from "./limits.ts";
import { listFilters } from "./list-filters.ts";
import { models } from "./models/checks.ts";
import { paging } from "./paging.ts";
import { pairing } from "./pairing.ts";
import { passiveChecks } from "./passive.ts";
import { paymentTypes } from "./payment-types.ts";
import { proofs } from "./proofs.ts";
import { publicTracking } from "./public-tracking.ts";
import { quoteBounds } from "./quote-bounds.ts";
import { quotes } from "./quotes.ts";
import { quotesInTown } from "./quotes-in-town.ts";
import { registrationBounds } from "./registration-bounds.ts";
import { retries } from "./retries.ts";
import { scheduleChanges } from "./schedule-changes.ts";
import { scheduled } from "./scheduled.ts";
import { serviceArea } from "./service-area.ts";
import { signatures } from "./signatures.ts";
import { states } from "./states.ts";
import { stores } from "./stores.ts";
import { subscriptionBounds } from "./subscription-bounds.ts";
import { subscriptionChanges } from "./subscription-changes.ts";
import { subscriptionEvents } from "./subscription-events.ts";
import { subscriptions } from "./subscriptions.ts";
import { testDeliveries } from "./test-deliveries.ts";
import { times } from "./times.ts";
import { tokenBounds } from "./token-bounds.ts";
import { tokens } from "./tokens.ts";
import { versioning } from "./versioning.ts";

/** The experiments of a conformance run, group by group; a group's name is the first part of its checks' ids. */
export const experiments: readonly Check[] = [
  ...subscriptions,
  ...subscriptionChanges,
  ...subscriptionEvents,
  ...envelope,
  ...signatures,
  ...emission,
  ...eventKinds,
  ...publicTracking,
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
