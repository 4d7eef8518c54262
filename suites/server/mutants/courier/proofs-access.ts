import { DomainError } from "../../../../reference-server/errors.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { compose } from "../operators/compose.ts";
import { findDelivery } from "../operators/deliveries.ts";
import { alterOperation } from "../operators/documents.ts";
import { onRefusal, replaceOperation, respondWith } from "../operators/operations.ts";

/** A server that returns a photo for any delivery id. */
const ignoreDeliveryOfPhotos: Mutate = replaceOperation("getProof", (call, original, deps) =>
  onRefusal("BULUNAMADI", original(call), async (refusal) => {
    const row = await deps.database
      .selectFrom("proofs")
      .select("delivery_id")
      .where("id", "=", call.path.proofId)
      .executeTakeFirst();
    const photo = row && (await deps.records.proofs.find(deps.database, row.delivery_id, call.path.proofId));
    if (!photo) throw refusal;
    return { status: 200, type: photo[0].mime, body: photo[1] };
  }),
);

export const proofsAccessMutants: Mutants = {
  "no-photos-answers-404": {
    fault: "the list of photos of a delivery without photos returns 404",
    breaks: [{ clause: "PROOF-8" }],
    mutate: replaceOperation("listProofs", async (call, original) => {
      const reply = await original(call);
      if (reply.body.items.length === 0) throw new DomainError("BULUNAMADI");
      return reply;
    }),
  },
  "photos-of-an-unknown-id-are-empty": {
    fault: "the list of an unknown delivery's photos is empty",
    breaks: [{ clause: "PROOF-13" }],
    mutate: replaceOperation("listProofs", (call, original) =>
      onRefusal("BULUNAMADI", original(call), async () => respondWith(200, { items: [] })),
    ),
  },
  "photo-needs-no-token": {
    fault: "a photo is returned without a token",
    breaks: [{ clause: "PROOF-11" }],
    caughtBy: ["proofs.need-a-token"],
    mutate: compose(
      alterOperation("/v1/deliveries/{id}/proofs/{proofId}", "get", (operation) => {
        operation.security = [];
      }),
      replaceOperation("getProof", async (call) => {
        const { deps, path } = call;
        const photo = await deps.records.proofs.find(deps.database, path.id, path.proofId);
        if (!photo) throw new DomainError("BULUNAMADI");
        return { status: 200 as const, type: photo[0].mime, body: photo[1] };
      }),
    ),
  },
  "photo-found-under-any-delivery": {
    fault: "a photo is returned under any delivery's path",
    breaks: [{ clause: "PROOF-12" }],
    mutate: ignoreDeliveryOfPhotos,
  },
  "photo-list-shown-to-others": {
    fault: "any integrator can list a delivery's photos",
    breaks: [{ clause: "ISO-15" }],
    mutate: replaceOperation("listProofs", (call, original, deps) =>
      onRefusal("BULUNAMADI", original(call), async () => {
        const proofs = await deps.records.proofs.list(deps.database, call.path.id);
        return respondWith(200, { items: proofs.map(deps.views.proof) });
      }),
    ),
  },
  "photos-of-others-listed-once-a-courier-has-the-package": {
    fault: "any integrator can list the photos of a delivery that a courier has",
    breaks: breaking("listProofs", "ISO-22"),
    mutate: replaceOperation("listProofs", (call, original, deps) =>
      onRefusal("BULUNAMADI", original(call), async (refusal) => {
        const delivery = await deps.records.deliveries.findById(deps.database, call.path.id);
        if (!delivery?.picked_up_at) throw refusal;
        const proofs = await deps.records.proofs.list(deps.database, call.path.id);
        return respondWith(200, { items: proofs.map(deps.views.proof) });
      }),
    ),
  },
  "photo-list-shown-to-others-once-it-has-photos": {
    fault: "any integrator can list the photos of a delivery that has some",
    breaks: [{ clause: "ISO-20" }],
    mutate: replaceOperation("listProofs", (call, original, deps) =>
      onRefusal("BULUNAMADI", original(call), async (refusal) => {
        const proofs = await deps.records.proofs.list(deps.database, call.path.id);
        if (proofs.length === 0) throw refusal;
        return respondWith(200, { items: proofs.map(deps.views.proof) });
      }),
    ),
  },
  "photo-shown-to-others": {
    fault: "any integrator can read a photo",
    breaks: [{ clause: "ISO-20" }],
    mutate: ignoreDeliveryOfPhotos,
  },
  "photo-shown-under-ones-own-delivery": {
    fault: "any integrator can read a photo under one of its own deliveries",
    breaks: [{ clause: "ISO-20" }],
    mutate: (deps) => {
      const { operations } = ignoreDeliveryOfPhotos(deps);
      return replaceOperation("getProof", async (call, original) =>
        (await findDelivery(call)) === undefined ? original(call) : operations.getProof(call),
      )(deps);
    },
  },
};
