import { clause } from "../../../../openapi/generated/clauses.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { isSuccess } from "../../../core/responses.ts";
import { drawnUuid } from "../../session/sample-data/drawn.ts";
import { photo } from "../../support/courier/photos.ts";
import { createPhotographedDelivery, listProofs } from "../../support/courier/proofs.ts";
import { createDelivery } from "../../support/orders/deliveries.ts";
import { type Check, check } from "../define.ts";

const unknownDelivery = check({
  id: "proofs.unknown-delivery",
  title: "a request for the proofs of an unknown id gets 404",
  clauses: [clause["PROOF-13"]],
  mutants: ["photos-of-an-unknown-id-are-empty"],
  async run(context) {
    const { id } = await createDelivery(context);
    await listProofs(context.api, id);
    (await context.api.sendInvalid("listProofs", "an unknown id", { path: { id: drawnUuid() } })).expectError(
      404,
    );
  },
});

const needToken = check({
  id: "proofs.need-a-token",
  title: "a photo isn't returned without a bearer token",
  clauses: [clause["PROOF-11"]],
  needs: ["courier", "proofs"],
  mutants: ["photo-needs-no-token"],
  async run(context) {
    const { id } = await createPhotographedDelivery(context, [photo("image/jpeg")]);
    const [proof] = await listProofs(context.api, id);
    const path = { id, proofId: proof?.id ?? "" };
    (await context.api.call("getProof", { path })).expectStatus(200);
    (await context.api.sendInvalid("getProof", "no token", { path }, { token: null })).expectError(401);
  },
});

/** After this time a token has expired, with any tolerance (OPEN-184). */
const LONG_AFTER_S = 1800 + 120;

const notWithAnExpiredToken = check({
  id: "proofs.not-with-an-expired-token",
  title: "a photo isn't returned with an expired token",
  clauses: [clause["PROOF-16"]],
  needs: ["courier", "proofs", "clock"],
  mutants: ["getProof-with-an-expired-token"],
  virtualSeconds: LONG_AFTER_S,
  async run(context) {
    const { api, anotherToken, advanceClock } = context;
    const { id } = await createPhotographedDelivery(context, [photo("image/jpeg")]);
    const token = await anotherToken();
    const [proof] = await listProofs(api, id);
    const path = { id, proofId: proof?.id ?? "" };
    (await api.call("getProof", { path }, { token })).expectStatus(200);
    await advanceClock(LONG_AFTER_S);
    (await api.sendInvalid("getProof", "an expired token", { path }, { token })).expectError(401);
    (await api.call("getProof", { path })).expectStatus(200);
  },
});

const otherDelivery = check({
  id: "proofs.other-delivery",
  title: "a photo isn't found under another delivery's id",
  clauses: [clause["PROOF-12"]],
  needs: ["courier", "proofs"],
  mutants: ["photo-found-under-any-delivery", "photo-list-of-all-deliveries"],
  async run(context) {
    const { id } = await createPhotographedDelivery(context, [photo("image/jpeg")]);
    const [proof] = await listProofs(context.api, id);
    const other = await createDelivery(context);
    const path = { id: other.id, proofId: proof?.id ?? "" };
    expectThat("the photos of another delivery", await listProofs(context.api, other.id)).isEmpty();
    (await context.api.sendInvalid("getProof", "a photo of another delivery", { path })).expectError(404);
    (await context.api.call("getProof", { path: { ...path, id } })).expectStatus(200);
  },
});

const ofOthers = check({
  id: "proofs.of-another-integrator",
  title: "a request for another integrator's photo gets 404, like one for an unknown photo",
  clauses: [clause["ISO-20"]],
  needs: ["second-integrator", "courier", "proofs"],
  mutants: ["photo-shown-to-others", "getProof-reveals-foreign-photos"],
  async run(context) {
    const { id } = await createPhotographedDelivery(context, [photo("image/jpeg")]);
    const [proof] = await listProofs(context.api, id);
    const path = { id, proofId: proof?.id ?? "" };
    const { api } = context.other;
    const refusal = async (asked: { readonly id: string; readonly proofId: string }) =>
      (await api.sendInvalid("getProof", "another integrator's photo", { path: asked })).expectError(404)
        .code;
    const none = await refusal({ id, proofId: drawnUuid() });
    const shown = await api.sendInvalid("getProof", "another integrator's photo", { path });
    if (isSuccess(shown)) attributeFailures([clause["ISO-20"]], () => shown.expectError(404));
    expectThat("the code for another integrator's photo", shown.expectError(404).code).is(none);
    (await context.api.call("getProof", { path })).expectStatus(200);
  },
});

const listOfOthers = check({
  id: "proofs.list-of-another-integrator",
  title:
    "a request for the proofs of another integrator's delivery gets 404, like one for an unknown delivery",
  clauses: [clause["ISO-15"]],
  needs: ["second-integrator"],
  mutants: ["photo-list-shown-to-others", "listProofs-reveals-foreign-ids", "getProof-reveals-foreign-ids"],
  async run(context) {
    const { id } = await createDelivery(context);
    const { api } = context.other;
    const list = (asked: string) =>
      api.sendInvalid("listProofs", "none of its deliveries", { path: { id: asked } });
    const photoOf = (asked: string) =>
      api.sendInvalid("getProof", "none of its deliveries", { path: { id: asked, proofId: drawnUuid() } });
    const none = await list(drawnUuid());
    // If a missing delivery has an empty list of photos instead of a 404 (PROOF-13), any code is accepted.
    (await list(id)).expectError(404, ...(none.status === 404 ? [none.expectError(404).code] : []));
    expectThat("the code for another integrator's photo", (await photoOf(id)).expectError(404).code).is(
      (await photoOf(drawnUuid())).expectError(404).code,
    );
    expectThat("the proofs, read by their owner", await listProofs(context.api, id)).isEmpty();
  },
});

export const proofsAccessChecks: readonly Check[] = [
  unknownDelivery,
  needToken,
  notWithAnExpiredToken,
  otherDelivery,
  listOfOthers,
  ofOthers,
];
