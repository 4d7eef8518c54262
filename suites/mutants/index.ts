import { addressesMutants } from "./addresses.ts";
import { areaMutants } from "./areas.ts";
import { authenticationMutants } from "./authentication.ts";
import { cancellationMutants } from "./cancellation.ts";
import { changeBoundsMutants } from "./change-bounds.ts";
import { changesMutants } from "./changes.ts";
import { closingMutants } from "./closing.ts";
import { contentTypeMutants } from "./content-type.ts";
import { courierMutants } from "./courier.ts";
import { creationMutants } from "./creation.ts";
import { creationBoundsMutants } from "./creation-bounds.ts";
import { creationSchemaMutants } from "./creation-schema.ts";
import { creditMutants } from "./credit.ts";
import { deliveryEchoMutants } from "./delivery-echo.ts";
import { deliveryFieldsMutants } from "./delivery-fields.ts";
import { deliveryMeasuresMutants } from "./delivery-measures.ts";
import { emissionMutants } from "./emission.ts";
import { envelopeMutants } from "./envelope.ts";
import { errorMutants } from "./errors.ts";
import { eventKindsMutants } from "./event-kinds.ts";
import { healthMutants } from "./health.ts";
import { idempotencyMutants } from "./idempotency.ts";
import { isolationMutants } from "./isolation.ts";
import { limitMutants } from "./limits.ts";
import { listFiltersMutants } from "./list-filters.ts";
import { modelsMutants } from "./models.ts";
import type { Mutant } from "./mutant.ts";
import { pagingMutants } from "./paging.ts";
import { pairingMutants } from "./pairing.ts";
import { passiveMutants } from "./passive.ts";
import { paymentTypeMutants } from "./payment-types.ts";
import { proofMutants } from "./proofs.ts";
import { publicTrackingMutants } from "./public-tracking.ts";
import { quoteMutants } from "./quotes.ts";
import { registrationBoundsMutants } from "./registration-bounds.ts";
import { requestBoundsMutants } from "./request-bounds.ts";
import { retriesMutants } from "./retries.ts";
import { scheduleChangesMutants } from "./schedule-changes.ts";
import { scheduledMutants } from "./scheduled.ts";
import { serviceAreaMutants } from "./service-area.ts";
import { signaturesMutants } from "./signatures.ts";
import { silenceMutants } from "./silence.ts";
import { statesMutants } from "./states.ts";
import { storeMutants } from "./stores.ts";
import { subscriptionChangesMutants } from "./subscription-changes.ts";
import { subscriptionEventsMutants } from "./subscription-events.ts";
import { subscriptionsMutants } from "./subscriptions.ts";
import { testDeliveriesMutants } from "./test-deliveries.ts";
import { timeMutants } from "./times.ts";
import { tokenMutants } from "./tokens.ts";
import { versioningMutants } from "./versioning.ts";

/** Every mutant by its id: one file per group of checks that catches them. */
export const mutants = {
  ...subscriptionsMutants,
  ...subscriptionChangesMutants,
  ...subscriptionEventsMutants,
  ...envelopeMutants,
  ...signaturesMutants,
  ...emissionMutants,
  ...silenceMutants,
  ...eventKindsMutants,
  ...publicTrackingMutants,
  ...addressesMutants,
  ...closingMutants,
  ...retriesMutants,
  ...changeBoundsMutants,
  ...creationMutants,
  ...creationBoundsMutants,
  ...creationSchemaMutants,
  ...deliveryEchoMutants,
  ...deliveryFieldsMutants,
  ...deliveryMeasuresMutants,
  ...idempotencyMutants,
  ...registrationBoundsMutants,
  ...requestBoundsMutants,
  ...testDeliveriesMutants,
  ...areaMutants,
  ...creditMutants,
  ...isolationMutants,
  ...pairingMutants,
  ...paymentTypeMutants,
  ...quoteMutants,
  ...serviceAreaMutants,
  ...storeMutants,
  ...cancellationMutants,
  ...changesMutants,
  ...listFiltersMutants,
  ...modelsMutants,
  ...pagingMutants,
  ...scheduleChangesMutants,
  ...statesMutants,
  ...authenticationMutants,
  ...tokenMutants,
  ...versioningMutants,
  ...contentTypeMutants,
  ...timeMutants,
  ...errorMutants,
  ...limitMutants,
  ...healthMutants,
  ...passiveMutants,
  ...courierMutants,
  ...proofMutants,
  ...scheduledMutants,
} satisfies Record<string, Mutant>;

export type MutantId = keyof typeof mutants;
