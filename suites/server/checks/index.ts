import type { AnyCheck, Check } from "../check.ts";
import { authenticationChecks } from "./access/authentication.ts";
import { isolationChecks } from "./access/isolation.ts";
import { tokenBoundsChecks } from "./access/token-bounds.ts";
import { tokensChecks } from "./access/tokens.ts";
import { cancellationChecks } from "./changes/cancellation.ts";
import { cancellationBoundsChecks } from "./changes/cancellation-bounds.ts";
import { changeBoundsChecks } from "./changes/change-bounds.ts";
import { changesChecks } from "./changes/changes.ts";
import { scheduleChangesChecks } from "./changes/schedule-changes.ts";
import { courierChecks } from "./courier/courier.ts";
import { proofsChecks } from "./courier/proofs.ts";
import { statesChecks } from "./courier/states.ts";
import { trackingChecks } from "./courier/tracking.ts";
import { creationChecks } from "./deliveries/creation.ts";
import { creationBoundsChecks } from "./deliveries/creation-bounds.ts";
import { deliveryFieldsChecks } from "./deliveries/delivery-fields.ts";
import { idempotencyChecks } from "./deliveries/idempotency.ts";
import { paymentTypesChecks } from "./deliveries/payment-types.ts";
import { scheduledChecks } from "./deliveries/scheduled.ts";
import { testDeliveriesChecks } from "./deliveries/test-deliveries.ts";
import { timesChecks } from "./deliveries/times.ts";
import { listFiltersChecks } from "./lists/list-filters.ts";
import { pagingChecks } from "./lists/paging.ts";
import { modelsChecks } from "./models/models.ts";
import { passiveChecks } from "./passive/passive.ts";
import { clientsChecks } from "./protocol/clients.ts";
import { contentTypeChecks } from "./protocol/content-type.ts";
import { errorsChecks } from "./protocol/errors.ts";
import { healthChecks } from "./protocol/health.ts";
import { limitsChecks } from "./protocol/limits.ts";
import { versioningChecks } from "./protocol/versioning.ts";
import { creditChecks } from "./quotes/credit.ts";
import { quoteBoundsChecks } from "./quotes/quote-bounds.ts";
import { quotesChecks } from "./quotes/quotes.ts";
import { quotesInTownChecks } from "./quotes/quotes-in-town.ts";
import { deliveryAreasChecks } from "./stores/areas.ts";
import { pairingChecks } from "./stores/pairing.ts";
import { registrationBoundsChecks } from "./stores/registration-bounds.ts";
import { serviceAreaChecks } from "./stores/service-area.ts";
import { storesChecks } from "./stores/stores.ts";
import { closingChecks } from "./webhooks/closing.ts";
import { emissionChecks } from "./webhooks/emission.ts";
import { endpointsChecks } from "./webhooks/endpoints.ts";
import { envelopeChecks } from "./webhooks/envelope.ts";
import { eventKindsChecks } from "./webhooks/event-kinds.ts";
import { retriesChecks } from "./webhooks/retries.ts";
import { signaturesChecks } from "./webhooks/signatures.ts";
import { subscriptionBoundsChecks } from "./webhooks/subscription-bounds.ts";
import { subscriptionsChecks } from "./webhooks/subscriptions.ts";
import { subscriptionsChangesChecks } from "./webhooks/subscriptions-changes.ts";
import { subscriptionsEventsChecks } from "./webhooks/subscriptions-events.ts";

/**
 * The active checks of a conformance run by group, in the order in which a service is usually built. A
 * group's name is the first part of its checks' ids.
 */
export const activeChecks: readonly Check[] = [
  ...healthChecks,
  ...authenticationChecks,
  ...tokensChecks,
  ...tokenBoundsChecks,
  ...versioningChecks,
  ...paymentTypesChecks,
  ...storesChecks,
  ...pairingChecks,
  ...registrationBoundsChecks,
  ...deliveryAreasChecks,
  ...serviceAreaChecks,
  ...creationChecks,
  ...creationBoundsChecks,
  ...deliveryFieldsChecks,
  ...testDeliveriesChecks,
  ...idempotencyChecks,
  ...timesChecks,
  ...scheduledChecks,
  ...listFiltersChecks,
  ...pagingChecks,
  ...changesChecks,
  ...changeBoundsChecks,
  ...scheduleChangesChecks,
  ...cancellationChecks,
  ...cancellationBoundsChecks,
  ...statesChecks,
  ...quotesChecks,
  ...quotesInTownChecks,
  ...quoteBoundsChecks,
  ...clientsChecks,
  ...contentTypeChecks,
  ...errorsChecks,
  ...isolationChecks,
  ...creditChecks,
  ...subscriptionsChecks,
  ...subscriptionBoundsChecks,
  ...subscriptionsChangesChecks,
  ...endpointsChecks,
  ...subscriptionsEventsChecks,
  ...envelopeChecks,
  ...signaturesChecks,
  ...emissionChecks,
  ...eventKindsChecks,
  ...courierChecks,
  ...proofsChecks,
  ...trackingChecks,
  ...closingChecks,
  ...retriesChecks,
  ...modelsChecks,
  ...limitsChecks,
];

/** All checks of a conformance run. */
export const checks: readonly AnyCheck[] = [...activeChecks, ...passiveChecks];
