import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, check } from "../../check.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import { expectEveryField } from "../../support/assertions.ts";
import { PHOTO_TYPES, photo, photoOf, typeOfPhoto } from "../../support/courier/photos.ts";
import { addPhoto, createPhotographedDelivery, listProofs } from "../../support/courier/proofs.ts";
import {
  cancelDelivery,
  createDelivery,
  createUnlocatedDelivery,
  expectTimeSet,
} from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { numberIn } from "../../support/shown-values.ts";
import { proofsAccessChecks } from "./proofs-access.ts";

const MAX_PHOTOS = 3;
const SMALL_PHOTO_BYTES = 1_000;
/** The limit of 1.5 MB may mean 1.5 MiB or 1.5 million bytes (OPEN-74). */
const MAX_BYTES = { larger: 1_572_864, smaller: 1_500_000 };

/** The place whose latitude is nearest. */
const nearest = (places: readonly Point[], lat: number): Point | undefined =>
  places.toSorted((one, other) => Math.abs(one.lat - lat) - Math.abs(other.lat - lat))[0];

/** The failure of every check that counts listed photos, with the same subject. */
function expectPhotoCount(proofs: readonly unknown[], count: number, note?: string): void {
  expectThat("the listed photos", proofs, note === undefined ? {} : { note }).hasLength(count);
}

/** The uploads at places that no listed photo has: `upload 3 isn't listed`. Undefined if a photo is listed without a place. */
function missingUploads(proofs: readonly Schemas["Proof"][], places: readonly Point[]): string | undefined {
  if (!proofs.every(({ lat }) => typeof lat === "number")) return undefined;
  const shown = proofs.map(({ lat }) => nearest(places, Number(lat)));
  const missing = places.flatMap((place, index) => (shown.includes(place) ? [] : [`upload ${index + 1}`]));
  const verb = missing.length === 1 ? "isn't" : "aren't";
  return missing.length === 0 ? undefined : `${missing.join(" and ")} ${verb} listed`;
}

/** True if a photo shows where it was taken. The coordinates may be null (OPEN-73), but not one of them alone. */
const hasPlace = ({ lat = null, lng = null }: Schemas["Proof"]): boolean => lat !== null || lng !== null;

const listed = check({
  id: "proofs.listed",
  smokeTestOf: "listProofs",
  title:
    "each photo is listed with its own type, size and location, at its delivery only, and its url returns it",
  clauses: [
    clause["PROOF-3"],
    clause["PROOF-4"],
    clause["PROOF-5"],
    clause["PROOF-6"],
    clause["PROOF-7"],
    clause["PROOF-10"],
    clause["PROOF-18"],
  ],
  needs: ["courier", "proofs"],
  async run(context) {
    // Photos may be listed in any order (OPEN-73), so their places are far enough apart to tell them from each other.
    const places = PHOTO_TYPES.map((_, index) => near(context.point, 2 + index));
    const placesShown = new Set<Point | undefined>();
    context.attributeTo(clause["PROOF-7"]);
    const delivery = await createPhotographedDelivery(context, []);
    const { id } = delivery;
    expectThat("the photos before the first one", await listProofs(context.api, id)).isEmpty();
    for (const [index, mime] of PHOTO_TYPES.entries())
      await addPhoto(context, id, { ...photo(mime), ...places[index] });
    const proofs = await listProofs(context.api, id);
    expectPhotoCount(proofs, PHOTO_TYPES.length, missingUploads(proofs, places));
    const photos = await Promise.all(
      proofs.map(async (proof, index) => ({
        name: `${index + 1} (${proof.mime})`,
        proof,
        response: await context.api.call("getProof", { path: { id, proofId: proof.id } }),
      })),
    );
    await context.each(
      cases("photos", photos, ({ name }) => name),
      async (listed) => {
        const { name, proof, response } = listed;
        const { exchange } = response;
        context.attributeTo(clause["PROOF-3"]);
        response.expectStatus(200);
        // A target may convert photos to another of the three types (OPEN-74). The list must then contain the
        // new type.
        expectThat("mime", proof.mime).isOneOf(PHOTO_TYPES);
        const contentType = response.header("content-type")?.toLowerCase();
        const type = typeOfPhoto(response.raw.bytes);
        if (type !== undefined && !contentType?.includes(proof.mime))
          expectThat({ field: "mime", where: `of a photo that begins like ${type}` }, proof.mime).is(type);
        context.attributeTo(clause["PROOF-10"]);
        expectThat("content-type of the photo", contentType, {
          exchange,
        }).includes(proof.mime);
        context.attributeTo(clause["PROOF-4"]);
        expectThat("size", proof.size, { exchange }).is(response.raw.bytes.length);
        context.attributeTo(clause["PROOF-5"]);
        if (hasPlace(proof)) {
          const place = nearest(places, numberIn(proof.lat, "lat"));
          expectThat("lat", numberIn(proof.lat, "lat")).isNear(place?.lat ?? Number.NaN, 4);
          expectThat("lng", numberIn(proof.lng, "lng")).isNear(place?.lng ?? Number.NaN, 4);
          placesShown.add(place);
        }
        context.attributeTo(clause["PROOF-18"]);
        expectTimeSet(proof.created_at, delivery, "created_at", context.now());
        context.attributeTo(clause["PROOF-6"]);
        const followed = await context.api.follow("getProof", proof.url ?? "");
        followed.expectStatus(200);
        const isContent = (one: typeof listed) =>
          Buffer.compare(followed.raw.bytes, one.response.raw.bytes) === 0;
        // Equal photos have equal bytes.
        const found =
          [listed, ...photos].find(isContent)?.name ?? `none (${followed.raw.bytes.length} bytes)`;
        expectThat(`the photo at the url ${proof.url} of photo ${name}`, found).is(name);
      },
    );
    context.attributeTo(clause["PROOF-5"]);
    expectThat("different places of the photos that show one", placesShown.size).is(
      proofs.filter(hasPlace).length,
    );
    context.attributeTo(clause["PROOF-7"]);
    const other = await createDelivery(context);
    expectThat(
      "the photos of another delivery of the store",
      await listProofs(context.api, other.id),
    ).isEmpty();
  },
});

const allFields = check({
  id: "proofs.all-fields",
  title: "a proof has every field of the specification's table, and the place where the photo was taken",
  clauses: [clause["PROOF-2"], clause["PROOF-23"]],
  needs: ["courier", "proofs"],
  async run(context) {
    context.recordCoverage("fields-of-a-proof", elementsOf("fields-of-a-proof"));
    const { lat, lng } = context.point;
    const { id } = await createPhotographedDelivery(context, [{ ...photo("image/jpeg"), lat, lng }]);
    const [proof] = await listProofs(context.api, id);
    if (!proof) throw new CheckSkipped("the accepted photo isn't listed");
    context.attributeTo(clause["PROOF-2"]);
    expectEveryField(proof, "Proof", "the proof");
    context.attributeTo(clause["PROOF-23"]);
    expectThat("lat", proof.lat ?? null).isNot(null);
    expectThat("lng", proof.lng ?? null).isNot(null);
  },
});

const kind = check({
  id: "proofs.kind",
  title: "the kind of a photo is PHOTO",
  clauses: [clause["PROOF-15"]],
  needs: ["courier", "proofs"],
  async run(context) {
    const { id } = await createPhotographedDelivery(context, [photo("image/jpeg")]);
    const kinds = (await listProofs(context.api, id)).map((proof) => proof.kind);
    expectThat("the kinds of the photos", kinds).is(["PHOTO"]);
  },
});

const bytesUnchanged = check({
  id: "proofs.unchanged",
  title: "a photo is returned with the bytes that were uploaded",
  clauses: [clause["PROOF-9"]],
  needs: ["courier", "proofs"],
  async run(context) {
    const uploaded = photo("image/png");
    const { id } = await createPhotographedDelivery(context, [uploaded]);
    const [proof] = await listProofs(context.api, id);
    const response = await context.api.call("getProof", { path: { id, proofId: proof?.id ?? "" } });
    const { bytes } = response.expectStatus(200).raw;
    expectThat("the photo, in base64", Buffer.from(bytes).toString("base64")).is(
      Buffer.from(uploaded.bytes).toString("base64"),
    );
  },
});

const atMostThree = check({
  id: "proofs.at-most-three",
  title: "a delivery has at most three photos, which are still listed and returned if the delivery fails",
  clauses: [clause["LIMIT-29"], clause["PROOF-14"], clause["PROOF-20"]],
  needs: ["courier", "proofs"],
  async run(context) {
    const delivery = await createDelivery(context);
    await context.performCourierActionsUpTo(delivery.id, "arrived");
    for (let i = 0; i <= MAX_PHOTOS; i += 1)
      await context.addProof(delivery.id, photoOf(SMALL_PHOTO_BYTES, i));
    const proofs = await listProofs(context.api, delivery.id);
    context.attributeTo(clause["LIMIT-29"]);
    expectPhotoCount(proofs, MAX_PHOTOS, "four were uploaded");
    context.attributeTo(clause["PROOF-14"]);
    // If the action is refused, the photos must be listed too.
    await context.performCourierAction(delivery.id, "failed");
    const shown = (await listProofs(context.api, delivery.id)).map(({ id }) => id);
    for (const { id } of proofs) expectThat("the photos after the failure", shown).includes(id);
    context.attributeTo(clause["PROOF-20"]);
    const path = { id: delivery.id, proofId: proofs[0]?.id ?? "" };
    (await context.api.call("getProof", { path })).expectStatus(200);
  },
});

const notTooLarge = check({
  id: "proofs.at-most-1.5-mb",
  title: "a photo of 1.5 MB is stored, also after a return, and no stored photo is larger than 1.5 MB",
  clauses: [clause["LIMIT-30"], clause["PROOF-14"]],
  needs: ["courier", "proofs"],
  async run(context) {
    const delivery = await createPhotographedDelivery(context, [photoOf(MAX_BYTES.smaller)]);
    // Whether the server refuses or shrinks the photo is unspecified (OPEN-74).
    await context.addProof(delivery.id, photoOf(MAX_BYTES.larger + 1));
    const proofs = await listProofs(context.api, delivery.id);
    context.attributeTo(clause["LIMIT-30"]);
    expectThat("stored photos", proofs.length).isAtLeast(1);
    for (const { id: proofId } of proofs) {
      const response = await context.api.call("getProof", { path: { id: delivery.id, proofId } });
      const { length } = response.expectStatus(200).raw.bytes;
      expectThat("bytes of a photo", length).isAtMost(MAX_BYTES.larger);
    }
    context.attributeTo(clause["PROOF-14"]);
    // If an action is refused, the photos must be listed too.
    for (const action of ["returning", "returned"] as const)
      await context.performCourierAction(delivery.id, action);
    const shown = (await listProofs(context.api, delivery.id)).map(({ id }) => id);
    for (const { id } of proofs) expectThat("the photos after the return", shown).includes(id);
  },
});

const completePhotos = check({
  id: "proofs.largest-is-whole",
  title:
    "each of three different photos of 1.5 MB is returned completely, re-encoded or not, and not another one instead",
  clauses: [clause["PROOF-17"], clause["PROOF-4"], clause["PROOF-19"], clause["PROOF-7"]],
  needs: ["courier", "proofs"],
  async run(context) {
    const places = Array.from({ length: MAX_PHOTOS }, (_, i) => near(context.point, 2 + i));
    const uploads = places.map((place, i) => ({ ...photoOf(MAX_BYTES.smaller, i), ...place }));
    const { id } = await createPhotographedDelivery(context, uploads);
    const returned: { readonly name: string; readonly bytes: Uint8Array }[] = [];
    const proofs = await listProofs(context.api, id);
    context.attributeTo(clause["PROOF-7"]);
    expectPhotoCount(proofs, MAX_PHOTOS, missingUploads(proofs, places));
    context.attributeTo(clause["PROOF-17"]);
    await context.each(
      cases("photos", [...proofs.entries()], ([index]) => `${index + 1}`),
      async ([index, proof]) => {
        const response = await context.api.call("getProof", { path: { id, proofId: proof.id } });
        const { bytes } = response.expectStatus(200).raw;
        context.attributeTo(clause["PROOF-17"]);
        // The server may convert photos, so the bytes may differ (OPEN-74), and may list them in any order. A prefix of
        // the uploaded bytes is a truncated photo.
        const whole = uploads.find(
          (upload) => Buffer.compare(bytes, upload.bytes.subarray(0, bytes.length)) === 0,
        );
        expectThat("bytes of the photo", bytes.length).is(whole?.bytes.length ?? bytes.length);
        context.attributeTo(clause["PROOF-4"]);
        expectThat("size", proof.size).is(bytes.length);
        context.attributeTo(clause["PROOF-19"]);
        const name = `${index + 1}`;
        const equal = returned.find((other) => Buffer.compare(other.bytes, bytes) === 0);
        returned.push({ name, bytes });
        expectThat(`the photo whose bytes are returned for photo ${name}`, equal?.name ?? name).is(name);
      },
    );
  },
});

const noPhotos = check({
  id: "proofs.none",
  title: "a delivery without photos has an empty list",
  clauses: [clause["PROOF-8"]],
  async run(context) {
    const { id } = await createDelivery(context);
    expectThat("the photos of a delivery without photos", await listProofs(context.api, id)).isEmpty();
  },
});

const everyStatus = check({
  id: "proofs.in-every-state",
  title:
    "the list of proofs is available in every status, contains the photos after the delivery, and each listed photo can be read",
  clauses: [clause["PROOF-14"], clause["PROOF-20"]],
  needs: ["courier", "proofs"],
  async run(context) {
    const { api, performCourierAction } = context;
    context.attributeTo(clause["PROOF-14"]);
    const waiting = {
      "without coordinates": await createUnlocatedDelivery(context),
      "with coordinates": await createDelivery(context),
    };
    await context.each(casesFrom("waiting deliveries", waiting), async ([, { id }]) => {
      expectThat("the photos before a courier is assigned", await listProofs(api, id)).isEmpty();
      await cancelDelivery(api, id);
      expectThat("the photos after the cancellation", await listProofs(api, id)).isEmpty();
    });
    context.attributeTo(clause["PROOF-14"]);
    const { id } = await createPhotographedDelivery(context, [photo("image/jpeg")]);
    const ids = (await listProofs(api, id)).map((proof) => proof.id);
    expectThat("the photos at the door", ids).hasLength(1);
    if (!(await performCourierAction(id, "delivered")))
      throw new CheckSkipped(
        "the control interface refused the courier action delivered at the customer's door",
      );
    const afterDelivery = await listProofs(api, id);
    // A service may add a proof of another kind to the delivery, such as a signature.
    const shown = afterDelivery.map((proof) => proof.id);
    for (const proofId of ids) expectThat("the photos after the delivery", shown).includes(proofId);
    context.attributeTo(clause["PROOF-20"]);
    for (const proofId of ids)
      (await context.api.call("getProof", { path: { id, proofId } })).expectStatus(200);
    const { id: cancelledId } = await createDelivery(context);
    await context.performCourierActionsUpTo(cancelledId, "at_pickup");
    // The control interface may refuse a photo before the pick-up.
    await context.addProof(cancelledId, photo("image/jpeg"));
    await cancelDelivery(api, cancelledId);
    context.attributeTo(clause["PROOF-14"]);
    // Whether a service keeps the photos of a cancelled delivery is unspecified (OPEN-73).
    const afterCancellation = await listProofs(api, cancelledId);
    context.attributeTo(clause["PROOF-20"]);
    for (const { id: proofId } of afterCancellation)
      (await api.call("getProof", { path: { id: cancelledId, proofId } })).expectStatus(200);
  },
});

export const proofsChecks: readonly Check[] = [
  completePhotos,
  listed,
  allFields,
  kind,
  bytesUnchanged,
  atMostThree,
  notTooLarge,
  noPhotos,
  ...proofsAccessChecks,
  everyStatus,
];
