import { mutantNamed } from "../../core/mutation/catching.ts";
import { authenticationMutants } from "./access/authentication.ts";
import { credentialMutants } from "./access/authentication-credentials.ts";
import { isolationMutants } from "./access/isolation.ts";
import { isolationListMutants } from "./access/isolation-lists.ts";
import { isolationSameNamesMutants } from "./access/isolation-same-names.ts";
import { tokenMutants } from "./access/tokens.ts";
import { cancellationMutants } from "./changes/cancellation.ts";
import { changeBoundsMutants } from "./changes/change-bounds.ts";
import { changesMutants } from "./changes/changes.ts";
import { alikeChangesMutants } from "./changes/changes-alike.ts";
import { changesOfOthersMutants } from "./changes/changes-of-others.ts";
import { changesOtherFieldsMutants } from "./changes/changes-other-fields.ts";
import { scheduleChangesMutants } from "./changes/schedule-changes.ts";
import { courierMutants } from "./courier/courier.ts";
import { courierChangesMutants } from "./courier/courier-changes.ts";
import { courierPositionsMutants } from "./courier/courier-positions.ts";
import { couriersMutants } from "./courier/couriers.ts";
import { proofMutants } from "./courier/proofs.ts";
import { proofsAccessMutants } from "./courier/proofs-access.ts";
import { statesMutants } from "./courier/states.ts";
import { trackingMutants } from "./courier/tracking.ts";
import { trackingEndMutants } from "./courier/tracking-end.ts";
import { creationMutants } from "./deliveries/creation.ts";
import { creationBoundsMutants } from "./deliveries/creation-bounds.ts";
import { creationReferenceMutants } from "./deliveries/creation-references.ts";
import { creationSchemaMutants } from "./deliveries/creation-schema.ts";
import { deliveryFieldsMutants } from "./deliveries/delivery-fields.ts";
import { deliveryFieldsEchoMutants } from "./deliveries/delivery-fields-echo.ts";
import { deliveryFieldsIdentityMutants } from "./deliveries/delivery-fields-identity.ts";
import { deliveryFieldsMeasuresMutants } from "./deliveries/delivery-fields-measures.ts";
import { idempotencyMutants } from "./deliveries/idempotency.ts";
import { idempotencyComparisonMutants } from "./deliveries/idempotency-comparison.ts";
import { paymentTypeMutants } from "./deliveries/payment-types.ts";
import { scheduledMutants } from "./deliveries/scheduled.ts";
import { testDeliveriesMutants } from "./deliveries/test-deliveries.ts";
import { timeMutants } from "./deliveries/times.ts";
import { listFiltersMutants } from "./lists/list-filters.ts";
import { listFiltersLongAgoMutants } from "./lists/list-filters-long-ago.ts";
import { listFiltersTimesMutants } from "./lists/list-filters-times.ts";
import { filterValuesMutants } from "./lists/list-filters-values.ts";
import { listItemsMutants } from "./lists/list-items.ts";
import { pagingMutants } from "./lists/paging.ts";
import { pagingChangesMutants } from "./lists/paging-changes.ts";
import { modelsMutants } from "./models/models.ts";
import type { Mutant, Mutants } from "./mutant.ts";
import { memberMutants } from "./passive/members.ts";
import { nullMutants } from "./passive/nulls.ts";
import { passiveMutants } from "./passive/passive.ts";
import { clientsMutants } from "./protocol/clients.ts";
import { contentTypeMutants } from "./protocol/content-type.ts";
import { errorMutants } from "./protocol/errors.ts";
import { healthMutants } from "./protocol/health.ts";
import { limitMutants } from "./protocol/limits.ts";
import { requestBoundsMutants } from "./protocol/request-bounds.ts";
import { versioningMutants } from "./protocol/versioning.ts";
import { creditMutants } from "./quotes/credit.ts";
import { quoteMutants } from "./quotes/quotes.ts";
import { quotesInTownMutants } from "./quotes/quotes-in-town.ts";
import { areaMutants } from "./stores/areas.ts";
import { pairingMutants } from "./stores/pairing.ts";
import { registrationBoundsMutants } from "./stores/registration-bounds.ts";
import { serviceAreaMutants } from "./stores/service-area.ts";
import { feeMutants } from "./stores/service-area-fees.ts";
import { storeMutants } from "./stores/stores.ts";
import { storesDistancesMutants } from "./stores/stores-distances.ts";
import { storesReadingMutants } from "./stores/stores-reading.ts";
import { storeRepeatMutants } from "./stores/stores-repeats.ts";
import { closingMutants } from "./webhooks/closing.ts";
import { closingFailuresMutants } from "./webhooks/closing-failures.ts";
import { emissionMutants } from "./webhooks/emission.ts";
import { emissionChangesMutants } from "./webhooks/emission-changes.ts";
import { emissionLostMutants } from "./webhooks/emission-lost.ts";
import { emissionUnchangedMutants } from "./webhooks/emission-unchanged.ts";
import { endpointsMutants } from "./webhooks/endpoints.ts";
import { envelopeMutants } from "./webhooks/envelope.ts";
import { envelopeRecipientsMutants } from "./webhooks/envelope-recipients.ts";
import { envelopeValuesMutants } from "./webhooks/envelope-values.ts";
import { eventKindsMutants } from "./webhooks/event-kinds.ts";
import { headerFormsMutants } from "./webhooks/header-forms.ts";
import { registeredAgainMutants } from "./webhooks/registered-again.ts";
import { retriesMutants } from "./webhooks/retries.ts";
import { retriesFailuresMutants } from "./webhooks/retries-failures.ts";
import { retriesPendingMutants } from "./webhooks/retries-pending.ts";
import { secretMutants } from "./webhooks/secrets.ts";
import { signaturesMutants } from "./webhooks/signatures.ts";
import { subscriptionsMutants } from "./webhooks/subscriptions.ts";
import { subscriptionsChangesMutants } from "./webhooks/subscriptions-changes.ts";
import { subscriptionsEventsMutants } from "./webhooks/subscriptions-events.ts";

/** Every mutant by id. */
export const mutants: Mutants = {
  ...subscriptionsMutants,
  ...subscriptionsChangesMutants,
  ...subscriptionsEventsMutants,
  ...registeredAgainMutants,
  ...envelopeMutants,
  ...envelopeRecipientsMutants,
  ...envelopeValuesMutants,
  ...signaturesMutants,
  ...emissionMutants,
  ...emissionLostMutants,
  ...emissionUnchangedMutants,
  ...eventKindsMutants,
  ...trackingMutants,
  ...trackingEndMutants,
  ...endpointsMutants,
  ...closingMutants,
  ...closingFailuresMutants,
  ...headerFormsMutants,
  ...retriesMutants,
  ...retriesFailuresMutants,
  ...retriesPendingMutants,
  ...changeBoundsMutants,
  ...creationMutants,
  ...creationReferenceMutants,
  ...creationBoundsMutants,
  ...creationSchemaMutants,
  ...deliveryFieldsEchoMutants,
  ...deliveryFieldsMutants,
  ...deliveryFieldsMeasuresMutants,
  ...idempotencyMutants,
  ...idempotencyComparisonMutants,
  ...registrationBoundsMutants,
  ...requestBoundsMutants,
  ...testDeliveriesMutants,
  ...areaMutants,
  ...creditMutants,
  ...isolationMutants,
  ...isolationListMutants,
  ...pairingMutants,
  ...paymentTypeMutants,
  ...quoteMutants,
  ...quotesInTownMutants,
  ...serviceAreaMutants,
  ...feeMutants,
  ...storeMutants,
  ...storesDistancesMutants,
  ...storeRepeatMutants,
  ...cancellationMutants,
  ...alikeChangesMutants,
  ...changesOfOthersMutants,
  ...changesMutants,
  ...listFiltersMutants,
  ...listFiltersTimesMutants,
  ...modelsMutants,
  ...pagingMutants,
  ...pagingChangesMutants,
  ...scheduleChangesMutants,
  ...statesMutants,
  ...authenticationMutants,
  ...credentialMutants,
  ...tokenMutants,
  ...versioningMutants,
  ...clientsMutants,
  ...contentTypeMutants,
  ...timeMutants,
  ...errorMutants,
  ...limitMutants,
  ...healthMutants,
  ...passiveMutants,
  ...memberMutants,
  ...nullMutants,
  ...courierMutants,
  ...courierChangesMutants,
  ...courierPositionsMutants,
  ...couriersMutants,
  ...proofMutants,
  ...scheduledMutants,
  ...changesOtherFieldsMutants,
  ...listItemsMutants,
  ...emissionChangesMutants,
  ...storesReadingMutants,
  ...listFiltersLongAgoMutants,
  ...filterValuesMutants,
  ...proofsAccessMutants,
  ...secretMutants,
  ...isolationSameNamesMutants,
  ...deliveryFieldsIdentityMutants,
};

/**
 * The mutant with this id.
 * @throws Error for an unknown id
 */
export const mutantOf = (id: string): Mutant => mutantNamed(id, mutants);
