import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { openDelivery } from "../../support/deliveries.ts";
import { photo } from "../../support/photos.ts";
import { listProofs, openPhotographedDelivery } from "../../support/proofs.ts";
import { type Check, check } from "../define.ts";

const unknownDelivery = check({
  id: "proofs.unknown-delivery",
  title: "the proofs of an id that doesn't exist answer 404",
  clauses: [clause["PROOF-13"]],
  mutants: ["photos-of-nothing-are-none"],
  async run(context) {
    const { id } = await openDelivery(context);
    await listProofs(context.api, id);
    (
      await context.api.violate("listProofs", "an id that nothing has", { path: { id: randomUUID() } })
    ).refused(404);
  },
});

const needToken = check({
  id: "proofs.need-a-token",
  title: "a photo isn't given without a bearer token",
  clauses: [clause["PROOF-11"]],
  needs: ["courier", "proofs"],
  mutants: ["photo-needs-no-token"],
  async run(context) {
    const { id } = await openPhotographedDelivery(context, [photo("image/jpeg")]);
    const [proof] = await listProofs(context.api, id);
    const path = { id, proofId: proof?.id ?? "" };
    (await context.api.call("getProof", { path })).hasStatus(200);
    (await context.api.violate("getProof", "no token", { path }, { token: null })).refused(401);
  },
});

const otherDelivery = check({
  id: "proofs.other-delivery",
  title: "a photo isn't found under another delivery's id",
  clauses: [clause["PROOF-12"]],
  needs: ["courier", "proofs"],
  mutants: ["photo-found-under-any-delivery", "photo-list-of-all-deliveries"],
  async run(context) {
    const { id } = await openPhotographedDelivery(context, [photo("image/jpeg")]);
    const [proof] = await listProofs(context.api, id);
    const other = await openDelivery(context);
    const path = { id: other.id, proofId: proof?.id ?? "" };
    expect(await listProofs(context.api, other.id), "the photos of another delivery").toEqual([]);
    (await context.api.violate("getProof", "a photo of another delivery", { path })).refused(404);
    (await context.api.call("getProof", { path: { ...path, id } })).hasStatus(200);
  },
});

const ofOthers = check({
  id: "proofs.of-another-integrator",
  title: "another integrator's photos, list and picture, answer 404",
  clauses: [clause["ISO-15"]],
  needs: ["second-integrator", "courier", "proofs"],
  mutants: ["photo-list-shown-to-others", "photo-shown-to-others"],
  async run(context) {
    const { id } = await openPhotographedDelivery(context, [photo("image/jpeg")]);
    const [proof] = await listProofs(context.api, id);
    const path = { id, proofId: proof?.id ?? "" };
    const { api } = context.other;
    (await api.violate("listProofs", "another integrator's delivery", { path: { id } })).refused(404);
    (await api.violate("getProof", "another integrator's photo", { path })).refused(404);
    (await context.api.call("getProof", { path })).hasStatus(200);
  },
});

/** Who is given which photo. */
export const proofsAccessChecks: readonly Check[] = [unknownDelivery, needToken, otherDelivery, ofOthers];
