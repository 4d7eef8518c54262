import { clause } from "../../../../openapi/generated/clauses.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type Check, check } from "../../check.ts";
import { drawnUuid } from "../../session/sample-data/drawn.ts";
import { expectCourier } from "../../support/courier/courier.ts";
import { photo } from "../../support/courier/photos.ts";
import { addPhoto, createPhotographedDelivery, listProofs } from "../../support/courier/proofs.ts";
import { createDelivery, expectTimePassed, readDelivery } from "../../support/orders/deliveries.ts";
import { TOKEN_REFUSALS } from "../../support/protocol/error-codes.ts";
import { waitForRefusal } from "../../support/protocol/refused-tokens.ts";
import { expectNoEarlier } from "../../support/shown-values.ts";

const unknownDelivery = check({
  id: "proofs.unknown-delivery",
  title: "a request for the proofs of an unknown id gets 404",
  clauses: [clause["PROOF-13"]],
  async run(context) {
    const { id } = await createDelivery(context);
    await listProofs(context.api, id);
    (await context.api.sendInvalid("listProofs", "an unknown id", { path: { id: drawnUuid() } })).expectError(
      404,
    );
  },
});

const tokenNeeded = check({
  id: "proofs.need-a-token",
  title: "a photo isn't returned without a bearer token, with an invented one, or under an unknown id",
  clauses: [clause["PROOF-11"], clause["PROOF-22"]],
  needs: ["courier", "proofs"],
  async run(context) {
    context.attributeTo(clause["PROOF-11"]);
    const { id } = await createPhotographedDelivery(context, [photo("image/jpeg")]);
    const [proof] = await listProofs(context.api, id);
    const path = { id, proofId: proof?.id ?? "" };
    (await context.api.call("getProof", { path })).expectStatus(200);
    (await context.api.sendInvalid("getProof", "no token", { path }, { token: null })).expectError(401);
    const invented = { authorization: "Bearer not-a-token" };
    (await context.api.sendInvalid("getProof", "an invented token", { path }, invented)).expectError(401);
    context.attributeTo(clause["PROOF-22"]);
    const unknown = { path: { id, proofId: drawnUuid() } };
    (await context.api.sendInvalid("getProof", "an unknown photo", unknown)).expectError(404);
  },
});

const closedCredential = check({
  id: "proofs.not-with-a-closed-credential",
  title: "a photo isn't returned with a closed credential's token",
  clauses: [clause["PROOF-11"]],
  needs: ["courier", "proofs", "close"],
  async run(context) {
    const { api, anotherToken, closeIntegrator } = context;
    const { id } = await createPhotographedDelivery(context, [photo("image/jpeg")]);
    expectCourier(await readDelivery(api, id));
    const [proof] = await listProofs(api, id);
    const path = { id, proofId: proof?.id ?? "" };
    const token = await anotherToken();
    (await api.call("getProof", { path }, { token })).expectStatus(200);
    await closeIntegrator();
    const load = () => api.sendInvalid("getProof", "a closed credential's token", { path }, { token });
    (await waitForRefusal(load, context)).expectError(401, ...TOKEN_REFUSALS);
  },
});

/** A token is valid for 1,800 s. How much longer a server may accept the token is unspecified (OPEN-184). */
const PAST_EXPIRY_S = 1800 + 120;

const expiredToken = check({
  id: "proofs.not-with-an-expired-token",
  title: "a photo isn't returned with an expired token, and a later photo has its own time",
  clauses: [clause["PROOF-16"], clause["PROOF-21"]],
  needs: ["courier", "proofs", "clock"],
  virtualSeconds: PAST_EXPIRY_S,
  async run(context) {
    const { api, anotherToken, advanceClock } = context;
    const delivery = await createPhotographedDelivery(context, [photo("image/jpeg")]);
    const { id } = delivery;
    const token = await anotherToken();
    context.attributeTo(clause["PROOF-16"]);
    const [proof] = await listProofs(api, id);
    const path = { id, proofId: proof?.id ?? "" };
    (await api.call("getProof", { path }, { token })).expectStatus(200);
    await advanceClock(PAST_EXPIRY_S);
    (await api.sendInvalid("getProof", "an expired token", { path }, { token })).expectError(401);
    (await api.call("getProof", { path })).expectStatus(200);
    await expectTimePassed(context, delivery, PAST_EXPIRY_S);
    await addPhoto(context, id, photo("image/png"));
    const later = (await listProofs(api, id)).find((listed) => listed.id !== proof?.id);
    context.attributeTo(clause["PROOF-21"]);
    const added = { field: "created_at", where: `of a photo added ${PAST_EXPIRY_S} s after the creation` };
    // Half of the time, because the clocks may be off.
    expectNoEarlier(later?.created_at, Date.parse(delivery.created_at) + PAST_EXPIRY_S * 500, added);
  },
});

const otherDelivery = check({
  id: "proofs.other-delivery",
  title: "a photo isn't found under another delivery's id",
  clauses: [clause["PROOF-12"]],
  needs: ["courier", "proofs"],
  async run(context) {
    const { id } = await createPhotographedDelivery(context, [photo("image/jpeg")]);
    const [proof] = await listProofs(context.api, id);
    const other = await createDelivery(context);
    const path = { id: other.id, proofId: proof?.id ?? "" };
    (await context.api.sendInvalid("getProof", "a photo of another delivery", { path })).expectError(404);
    (await context.api.call("getProof", { path: { ...path, id } })).expectStatus(200);
  },
});

const foreignPhoto = check({
  id: "proofs.of-another-integrator",
  title:
    "a request for another integrator's photo, or for the list that contains it, gets 404, like one for an unknown photo",
  clauses: [clause["ISO-20"]],
  needs: ["second-integrator", "courier", "proofs"],
  async run(context) {
    const { id } = await createPhotographedDelivery(context, [photo("image/jpeg")]);
    const [proof] = await listProofs(context.api, id);
    const path = { id, proofId: proof?.id ?? "" };
    const { api } = context.other;
    const absent = { path: { id, proofId: drawnUuid() } };
    const { code } = (await api.sendInvalid("getProof", "an unknown photo", absent)).expectError(404);
    const shown = await api.sendInvalid("getProof", "another integrator's photo", { path });
    if (isSuccess(shown)) attributeFailures([clause["ISO-20"]], () => shown.expectError(404));
    expectThat("the code for another integrator's photo", shown.expectError(404).code).is(code);
    const list = await api.sendInvalid("listProofs", "another integrator's photos", { path: { id } });
    attributeFailures([clause["ISO-20"]], () => list.expectError(404));
    const { external_store_id } = await context.other.store();
    const ownOrder = await context.order({ store: { external_store_id } });
    const { id: ownId } = (await api.createDelivery(ownOrder)).body(201);
    const own = { path: { ...path, id: ownId } };
    const underOwn = await api.sendInvalid(
      "getProof",
      "another integrator's photo under one of the integrator's own deliveries",
      own,
    );
    attributeFailures([clause["ISO-20"]], () => underOwn.expectError(404));
    (await context.api.call("getProof", { path })).expectStatus(200);
  },
});

const foreignList = check({
  id: "proofs.list-of-another-integrator",
  title:
    "a request for the proofs of another integrator's delivery gets 404, like one for an unknown delivery",
  clauses: [clause["ISO-15"]],
  needs: ["second-integrator"],
  async run(context) {
    const { id } = await createDelivery(context);
    const { api } = context.other;
    const [foreign, unknown] = ["a delivery of another integrator", "a delivery that doesn't exist"];
    const list = (rule: string, deliveryId: string) =>
      api.sendInvalid("listProofs", rule, { path: { id: deliveryId } });
    const photoOf = (rule: string, deliveryId: string) =>
      api.sendInvalid("getProof", rule, { path: { id: deliveryId, proofId: drawnUuid() } });
    const absent = await list(unknown, drawnUuid());
    // If the server violates PROOF-13 with an empty list for an unknown delivery, any code is accepted.
    (await list(foreign, id)).expectError(
      404,
      ...(absent.status === 404 ? [absent.expectError(404).code] : []),
    );
    expectThat(
      "the code for another integrator's photo",
      (await photoOf(foreign, id)).expectError(404).code,
    ).is((await photoOf(unknown, drawnUuid())).expectError(404).code);
    expectThat("the delivery's proofs, read by its integrator", await listProofs(context.api, id)).isEmpty();
  },
});

export const proofsAccessChecks: readonly Check[] = [
  unknownDelivery,
  tokenNeeded,
  closedCredential,
  expiredToken,
  otherDelivery,
  foreignList,
  foreignPhoto,
];
