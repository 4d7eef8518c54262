import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { asLocalTime, withoutMembers } from "../operators/answers.ts";
import { findDelivery } from "../operators/deliveries.ts";
import { onRefusal, replaceOperation, respondWith } from "../operators/operations.ts";

type Proof = ReturnType<Dependencies["views"]["proof"]>;
type ProofRecords = Dependencies["records"]["proofs"];
type Stored = NonNullable<Awaited<ReturnType<ProofRecords["find"]>>>[0];

const alterProofs =
  (change: (proof: Proof) => Partial<Proof>): Mutate =>
  (deps) => ({
    ...deps,
    views: {
      ...deps.views,
      proof: (proof) => {
        const view = deps.views.proof(proof);
        return { ...view, ...change(view) };
      },
    },
  });

const alterProofRecords =
  (change: (proofs: ProofRecords) => Partial<ProofRecords>): Mutate =>
  (deps) => ({
    ...deps,
    records: { ...deps.records, proofs: { ...deps.records.proofs, ...change(deps.records.proofs) } },
  });

const alterPhotoLimits =
  (change: Partial<Dependencies["limits"]["proofs"]>): Mutate =>
  (deps) => ({ ...deps, limits: { ...deps.limits, proofs: { ...deps.limits.proofs, ...change } } });

/** A server that truncates some photos, chosen by their index in the list. */
const truncatePhotos = (maxBytes: number, isCut: (index: number) => boolean): Mutate =>
  replaceOperation("getProof", async (call, original, deps) => {
    const reply = await original(call);
    const { id, proofId } = call.path;
    const proofs = await deps.records.proofs.list(deps.database, id);
    return isCut(proofs.findIndex((proof) => proof.id === proofId))
      ? { ...reply, body: reply.body.subarray(0, maxBytes) }
      : reply;
  });

/** A server that returns a photo's bytes from a cache, whose keys are too coarse. */
const cachePhotos =
  (keyOf: (proof: Stored) => string): Mutate =>
  (deps) => {
    const cached = new Map<string, Buffer>();
    return alterProofRecords(({ find }) => ({
      async find(db, deliveryId, id) {
        const found = await find(db, deliveryId, id);
        if (found === undefined) return undefined;
        const [proof, own] = found;
        const key = keyOf(proof);
        const bytes = cached.get(key) ?? own;
        cached.set(key, bytes);
        return [proof, bytes];
      },
    }))(deps);
  };

const FINAL_STATUSES = { failure: "FAILED", delivery: "DELIVERED", cancellation: "CANCELLED" } as const;

export const proofMutants: Mutants = {
  "photos-are-cached-by-type": {
    fault: "a photo is returned with the bytes of the delivery's first photo of its type that was read",
    breaks: breaking(["2", "3"], "PROOF-19"),
    mutate: cachePhotos(({ delivery_id, mime }) => `${delivery_id} ${mime}`),
  },
  "unknown-photo-is-the-first": {
    fault: "an unknown photo of a delivery is answered with its first photo",
    breaks: [{ clause: "PROOF-22" }],
    mutate: replaceOperation("getProof", (call, original, deps) =>
      onRefusal("BULUNAMADI", original(call), async (refusal) => {
        const [first] = await deps.records.proofs.list(deps.database, call.path.id);
        if (first === undefined) throw refusal;
        return original({ ...call, path: { ...call.path, proofId: first.id } });
      }),
    ),
  },
  "third-photo-is-the-first": {
    fault: "a delivery's third photo is returned with the bytes of the first one",
    breaks: [{ clause: "PROOF-19", case: "3" }],
    mutate: replaceOperation("getProof", async (call, original, deps) => {
      const { id, proofId } = call.path;
      const [first, , third] = await deps.records.proofs.list(deps.database, id);
      return original(
        first && third?.id === proofId && third.mime === first.mime
          ? { ...call, path: { id, proofId: first.id } }
          : call,
      );
    }),
  },
  "photo-cut-to-1-mb": {
    fault: "a large photo is truncated",
    breaks: [{ clause: "PROOF-17" }],
    mutate: truncatePhotos(1_000_000, () => true),
  },
  "third-photo-cut-short": {
    fault: "the third photo of a delivery is truncated",
    breaks: [{ clause: "PROOF-17", case: "3" }],
    mutate: truncatePhotos(700_000, (index) => index === 2),
  },
  "photo-mime-is-always-jpeg": {
    fault: "every photo is listed as a JPEG",
    breaks: [{ clause: "PROOF-3", case: "1 (image/jpeg), 3 (image/jpeg)" }],
    mutate: alterProofs(() => ({ mime: "image/jpeg" })),
  },
  "photo-size-of-its-base64": {
    fault: "size is the length of the photo in base64",
    breaks: [{ clause: "PROOF-4" }],
    mutate: alterProofs(({ size }) => ({ size: Math.ceil(size / 3) * 4 })),
  },
  "photo-coordinates-swapped": {
    fault: "a photo's latitude and longitude are swapped",
    breaks: [{ clause: "PROOF-5" }],
    mutate: alterProofs(({ lat = null, lng = null }) => ({ lat: lng, lng: lat })),
  },
  "photo-has-no-place": {
    fault: "lat and lng of every photo are null, although it was taken at a known place",
    breaks: [{ clause: "PROOF-23" }],
    mutate: alterProofs(() => ({ lat: null, lng: null })),
  },
  "photo-time-is-local-time": {
    fault: "created_at of a photo is local time marked as UTC (Z)",
    breaks: [{ clause: "PROOF-18" }],
    mutate: alterProofs(({ created_at }) => ({ created_at: asLocalTime(created_at) ?? "" })),
  },
  "photos-have-the-time-of-the-first": {
    fault: "each photo is listed with the time of the delivery's first photo",
    breaks: [{ clause: "PROOF-21" }],
    mutate: replaceOperation("listProofs", async (call, original) => {
      const { items } = (await original(call)).body;
      const [created_at] = items.map((proof) => proof.created_at).toSorted();
      return respondWith(200, {
        items: items.map((proof) => ({ ...proof, ...(created_at && { created_at }) })),
      });
    }),
  },
  "photos-have-the-location-of-the-first": {
    fault: "each photo is listed with the location of the delivery's first photo",
    breaks: [{ clause: "PROOF-5" }],
    mutate: replaceOperation("listProofs", async (call, original) => {
      const { items } = (await original(call)).body;
      const { lat = null, lng = null } = items[0] ?? {};
      return respondWith(200, { items: items.map((proof) => ({ ...proof, lat, lng })) });
    }),
  },
  "photos-have-the-location-of-the-drop-off": {
    fault: "each photo is listed with the location of the delivery's drop-off",
    breaks: [{ clause: "PROOF-5" }],
    mutate: replaceOperation("listProofs", async (call, original) => {
      const { items } = (await original(call)).body;
      const { lat, lng } = (await findDelivery(call))?.dropoff.point ?? { lat: null, lng: null };
      return respondWith(200, { items: items.map((proof) => ({ ...proof, lat, lng })) });
    }),
  },
  "photo-url-leads-nowhere": {
    fault: "a photo's url lacks its id",
    breaks: [{ clause: "PROOF-6" }],
    mutate: alterProofs(({ url = "" }) => ({ url: String(url).replace(/[^/]+$/, "photo.jpg") })),
  },
  "photo-list-is-cached": {
    fault: "the list of photos is read from a cache that further photos don't update",
    breaks: [{ clause: "PROOF-7" }],
    caughtBy: ["proofs.listed"],
    mutate: (deps) => {
      const replies = new Map<string, Awaited<ReturnType<Dependencies["operations"]["listProofs"]>>>();
      return replaceOperation("listProofs", async (call, original) => {
        const reply = replies.get(call.path.id) ?? (await original(call));
        replies.set(call.path.id, reply);
        return reply;
      })(deps);
    },
  },
  "photo-url-leads-to-the-first": {
    fault: "the url of each photo is that of the delivery's first photo",
    breaks: [
      { clause: "PROOF-6", case: "2 (image/jpeg)" },
      { clause: "PROOF-6", case: "3 (image/webp)" },
    ],
    mutate: replaceOperation("listProofs", async (call, original) => {
      const { items } = (await original(call)).body;
      return respondWith(200, { items: items.map((proof) => ({ ...proof, url: items[0]?.url ?? "" })) });
    }),
  },
  "photo-list-contains-only-the-last": {
    fault: "the list contains only the last photo",
    breaks: [{ clause: "PROOF-7" }],
    mutate: replaceOperation("listProofs", async (call, original) => {
      const { body } = await original(call);
      return respondWith(200, { items: body.items.slice(-1) });
    }),
  },
  "photo-list-omits-the-third": {
    fault: "the list contains at most two photos",
    breaks: [{ clause: "PROOF-7" }, { clause: "LIMIT-29" }],
    mutate: replaceOperation("listProofs", async (call, original) => {
      const { body } = await original(call);
      return respondWith(200, { items: body.items.slice(0, 2) });
    }),
  },
  "photos-vanish-on-delivery": {
    fault: "the list of photos is empty once the package is delivered",
    breaks: [{ clause: "PROOF-14" }],
    caughtBy: ["proofs.in-every-state"],
    mutate: replaceOperation("listProofs", async (call, original) => {
      const delivery = await findDelivery(call);
      return delivery?.delivered_at == null ? original(call) : respondWith(200, { items: [] });
    }),
  },
  ...forEachElement(
    ["failure", "delivery", "cancellation"] as const,
    (end) => `bytes-vanish-on-${end}`,
    (end) => ({
      fault: `a listed photo isn't found after a ${end}`,
      breaks: [{ clause: "PROOF-20" }],
      caughtBy: [end === "failure" ? "proofs.at-most-three" : "proofs.in-every-state"],
      mutate: replaceOperation("getProof", async (call, original) => {
        const status = (await findDelivery(call))?.status;
        if (status === FINAL_STATUSES[end]) throw new DomainError("BULUNAMADI");
        return original(call);
      }),
    }),
  ),
  ...forEachElement(
    ["failure", "return"] as const,
    (end) => `photos-vanish-on-${end}`,
    (end) => ({
      fault: `the list of photos is empty after a ${end}`,
      breaks: [{ clause: "PROOF-14" }],
      caughtBy: [end === "failure" ? "proofs.at-most-three" : "proofs.at-most-1.5-mb"],
      mutate: replaceOperation("listProofs", async (call, original) => {
        const status = (await findDelivery(call))?.status;
        const isEnded = status === (end === "failure" ? "FAILED" : "RETURNED");
        return isEnded ? respondWith(200, { items: [] }) : original(call);
      }),
    }),
  ),
  "photo-list-of-a-cancelled-delivery-refused": {
    fault: "the list of photos of a cancelled delivery returns 409",
    breaks: [{ clause: "PROOF-14" }],
    caughtBy: ["proofs.in-every-state"],
    mutate: replaceOperation("listProofs", async (call, original) => {
      const delivery = await findDelivery(call);
      if (delivery?.cancelled_at != null) throw new DomainError("SON_DURUM");
      return original(call);
    }),
  },
  "photo-list-of-all-deliveries": {
    fault: "the list contains the photos of all deliveries",
    breaks: [{ clause: "PROOF-7" }],
    caughtBy: ["proofs.listed"],
    mutate: alterProofRecords(({ list }) => ({
      async list(db, id) {
        const rows = await db.selectFrom("proofs").select("delivery_id").distinct().execute();
        const ids = new Set([id, ...rows.map(({ delivery_id }) => delivery_id)]);
        return (await Promise.all([...ids].map((deliveryId) => list(db, deliveryId)))).flat();
      },
    })),
  },
  "photo-served-as-another-type": {
    fault: "a photo is always served as image/webp",
    breaks: breaking(["1 (image/png)", "2 (image/jpeg)"], "PROOF-10"),
    mutate: replaceOperation("getProof", async (call, original) => ({
      ...(await original(call)),
      type: "image/webp" as const,
    })),
  },
  "photo-served-as-the-first-ones-type": {
    fault: "a photo is served with the content type of the delivery's first photo",
    breaks: breaking(["2 (image/jpeg)", "3 (image/webp)"], "PROOF-10"),
    mutate: replaceOperation("getProof", async (call, original) => {
      const { body } = await call.deps.operations.listProofs(call);
      const [first] = body.items;
      return { ...(await original(call)), ...(first && { type: first.mime }) };
    }),
  },
  "photo-size-is-text": {
    fault: "size of a photo is a string",
    breaks: [{ clause: "PROOF-1" }],
    mutate: replaceOperation("listProofs", async (call, original) => {
      const { body } = await original(call);
      const items = body.items.map((proof) => Object.assign({ ...proof }, { size: String(proof.size) }));
      return respondWith(200, { items });
    }),
  },
  "photo-without-kind": {
    fault: "a proof has no kind",
    breaks: [{ clause: "PROOF-2", case: "kind" }],
    mutate: (deps) => ({
      ...deps,
      views: { ...deps.views, proof: (proof) => withoutMembers(deps.views.proof(proof), "kind") },
    }),
  },
  "photo-of-another-kind": {
    fault: "a photo's kind is in lower case",
    breaks: [{ clause: "PROOF-15" }],
    mutate: alterProofs(() => ({ kind: "photo" })),
  },
  "photo-as-text": {
    fault: "a photo's bytes are decoded and encoded as text",
    breaks: [{ clause: "PROOF-9" }],
    mutate: alterProofRecords((proofs) => ({
      insert: (tx, proof, bytes) => proofs.insert(tx, proof, Buffer.from(bytes.toString("utf8"), "utf8")),
    })),
  },
  "fourth-photo-accepted": {
    fault: "a fourth photo is accepted",
    breaks: [{ clause: "LIMIT-29" }],
    mutate: alterPhotoLimits({ perDelivery: 4 }),
  },
  "third-photo-refused": {
    fault: "a third photo is refused",
    breaks: [{ clause: "LIMIT-29" }],
    mutate: alterPhotoLimits({ perDelivery: 2 }),
  },
  "photos-of-1572865-bytes-accepted": {
    fault: "a photo of 1,572,865 bytes is accepted",
    breaks: [{ clause: "LIMIT-30" }],
    mutate: alterPhotoLimits({ bytes: 1_572_865 }),
  },
  "photos-of-1500000-bytes-refused": {
    fault: "photos of 1,500,000 bytes or more aren't stored",
    breaks: [{ clause: "LIMIT-30" }],
    mutate: alterProofRecords((proofs) => ({
      insert: async (tx, proof, bytes) => {
        if (bytes.length < 1_500_000) await proofs.insert(tx, proof, bytes);
      },
    })),
  },
};
