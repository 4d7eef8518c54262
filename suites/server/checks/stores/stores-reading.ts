import { clause } from "../../../../openapi/generated/clauses.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import { storesOf } from "../../session/lists/list-entries.ts";
import { restaurantName } from "../../session/sample-data/sample-data.ts";
import { newStoreRegistration } from "../../session/stores/stores.ts";
import { lookAlikesOf } from "../../support/look-alikes.ts";
import { expectNoEarlier, instantIn } from "../../support/shown-values.ts";
import { repeatRegistration } from "../../support/stores.ts";

const reading = check({
  id: "stores.reading",
  smokeTestOf: "getStore",
  title: "a linked store can be read by its external_store_id, and an unlinked one gets BULUNAMADI",
  clauses: [clause["REG-25"], clause["REG-26"]],
  async run({ api, attributeTo, each, store, point }) {
    const { id, external_store_id } = await store();
    attributeTo(clause["REG-25"]);
    expectThat("the store's id", (await api.getStore(external_store_id)).body(200).id).is(id);
    attributeTo(clause["REG-26"]);
    (await api.getStore(newStoreRegistration(point, undefined).external_store_id)).expectError(
      404,
      "BULUNAMADI",
    );
    await each(lookAlikesOf(external_store_id), async ([, other]) => {
      (await api.getStore(other)).expectError(404, "BULUNAMADI");
    });
  },
});

/**
 * Registers a store whose id ends with `suffix`, and reads the store. The service may refuse the id, because
 * the allowed characters are unspecified (OPEN-29).
 */
async function expectReadableIfLinked(
  {
    api,
    companyPairingCode,
    point,
  }: Pick<ContextFor<"company-codes">, "api" | "companyPairingCode" | "point">,
  suffix: string,
): Promise<void> {
  const { pairing_code } = await companyPairingCode({});
  const body = newStoreRegistration(point, pairing_code);
  const external_store_id = `${body.external_store_id}${suffix}`;
  const response = await api.registerStore({ ...body, external_store_id });
  const read = await api.getStore(external_store_id);
  if (!response.hasContentOf(201)) {
    response.expectError(400);
    read.expectError([400, 404]);
    return;
  }
  expectThat(
    `the id of the store returned for external_store_id ${JSON.stringify(external_store_id)}`,
    read.body(200).id,
  ).is(response.body(201).id);
}

/** A service may refuse a slash in a path (OPEN-112), but must not ignore the part after the slash. */
async function expectIdNotCutAtSlash({
  api,
  companyPairingCode,
  point,
}: Pick<ContextFor<"company-codes">, "api" | "companyPairingCode" | "point">): Promise<void> {
  const withoutSlash = newStoreRegistration(point, (await companyPairingCode({})).pairing_code);
  (await api.registerStore(withoutSlash)).body(201);
  const external_store_id = `${withoutSlash.external_store_id}/2`;
  const { pairing_code } = await companyPairingCode({});
  await api.registerStore({ ...newStoreRegistration(point, pairing_code), external_store_id });
  const read = await api.getStore(external_store_id);
  const shown = isSuccess(read) ? read.body(200).external_store_id : "none";
  expectThat(
    `the external_store_id of the store returned for ${JSON.stringify(external_store_id)}`,
    shown,
  ).isOneOf([external_store_id, "none"]);
}

const allListed = check({
  id: "stores.all-listed",
  title: "the list of stores contains each store, also if two have the same name",
  clauses: [clause["REG-24"]],
  needs: ["pairing"],
  async run({ api, each, linkStore, store }) {
    const earlier = await store();
    const stores = {
      "a store linked earlier": earlier,
      "another store with the same name": await linkStore({ name: earlier.name }),
    };
    const listed = storesOf(await api.call("listStores")).map(({ id }) => id);
    await each(casesFrom("stores", stores), ([, { id }]) => {
      expectThat("the listed stores", listed).includes(id);
    });
  },
});

const endings = (texts: readonly string[]) =>
  cases("endings of an external_store_id", texts, (text) => JSON.stringify(text));

const encodedIdentifiers = check({
  id: "stores.encoded-identifier",
  title:
    "a store can be read by its percent-encoded external_store_id with a space, a plus sign and a Turkish letter",
  clauses: [clause["REG-28"]],
  // Each case needs its own pairing code, and only the control interface issues that many codes.
  needs: ["company-codes"],
  async run(context) {
    await context.each(endings([" 2", "+2", "ş"]), (suffix) => expectReadableIfLinked(context, suffix));
  },
});

const slashInIdentifier = check({
  id: "stores.slash-in-an-identifier",
  title:
    "a store can be read if its external_store_id contains a percent sign, and an external_store_id with a slash never returns another store",
  clauses: [clause["REG-29"]],
  needs: ["company-codes"],
  async run(context) {
    await expectReadableIfLinked(context, "%41");
    await expectIdNotCutAtSlash(context);
  },
});

/** The control interface may advance the clock a little less. */
const TOLERANCE_S = 60;
const REPEATED_AFTER_S = 180;

const timeOfARepeat = check({
  id: "stores.time-of-a-repeat",
  title: "a registration repeated minutes later with another name moves updated_at",
  clauses: [clause["STORE-14"]],
  needs: ["clock"],
  virtualSeconds: REPEATED_AFTER_S,
  isolation: "own-integrator",
  async run({ api, advanceClock, store }) {
    const { external_store_id } = await store();
    const before = (await api.getStore(external_store_id)).body(200);
    const first = repeatRegistration(before, { name: restaurantName() });
    const { updated_at: firstRepeatAt } = (await api.registerStore(first)).body(200);
    await advanceClock(REPEATED_AFTER_S);
    (await api.registerStore({ ...first, name: `${first.name} 2` })).body(200);
    const { updated_at } = (await api.getStore(external_store_id)).body(200);
    const earlier = instantIn(firstRepeatAt, { field: "updated_at", where: "of an earlier repetition" });
    const where = `after a repetition ${REPEATED_AFTER_S} s after the earlier one`;
    const earliest = earlier + (REPEATED_AFTER_S - TOLERANCE_S) * 1000;
    expectNoEarlier(updated_at, earliest, { field: "updated_at", where });
  },
});

export const storesReadingChecks: readonly Check[] = [
  reading,
  allListed,
  timeOfARepeat,
  encodedIdentifiers,
  slashInIdentifier,
];
