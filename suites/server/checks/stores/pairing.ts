import { randomUUID } from "node:crypto";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { monotonicNow } from "../../../core/clock.ts";
import { cases } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type Check, check } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { storesOf } from "../../session/lists/list-entries.ts";
import { newStoreRegistration } from "../../session/stores/stores.ts";
import { expectFields } from "../../support/assertions.ts";
import { north } from "../../support/service-area.ts";

const CODE_LIFETIME_S = 60;
/** After this time a code has expired, with a tolerance of two minutes. */
const WAIT_S = 180;

/**
 * Asserts that a code links a store before the code expires. A refusal is attributed to the control interface,
 * because other checks test whether the service accepts valid codes.
 */
function expectAcceptedInTime(response: ApiResponse<"registerStore">, issuedAt: number): void {
  const age = ((monotonicNow() - issuedAt) / 1000).toFixed(1);
  if (response.status === 400 && response.expectError(400).code === "ESLEME_KODU_GECERSIZ")
    throw new CheckSkipped(
      `a pairing code that the control interface issued to expire in ${CODE_LIFETIME_S} s was refused after ${age} s: expires_in must be measured on the integrator's clock (control-interface.md)`,
    );
  response.body(201);
}

const expiredCode = check({
  id: "pairing.expired-code",
  title: "a pairing code that has expired links no store",
  clauses: [clause["REG-10"]],
  needs: ["company-codes", "clock"],
  virtualSeconds: WAIT_S,
  async run({ api, companyPairingCode, advanceClock, point }) {
    const issuedAt = monotonicNow();
    const [used, unused] = [
      await companyPairingCode({ expires_in: CODE_LIFETIME_S }),
      await companyPairingCode({ expires_in: CODE_LIFETIME_S }),
    ];
    expectAcceptedInTime(await api.registerStore(newStoreRegistration(point, used.pairing_code)), issuedAt);
    await advanceClock(WAIT_S);
    const body = newStoreRegistration(point, unused.pairing_code);
    const refused = await api.sendInvalid("registerStore", "a code that has expired", { body });
    refused.expectError(400, "ESLEME_KODU_GECERSIZ");
    (await api.getStore(body.external_store_id)).expectError(404);
  },
});

const REGISTRATIONS = 4;

const concurrentUses = check({
  id: "pairing.concurrent-registrations",
  title: "concurrent registrations with one pairing code link exactly one store",
  clauses: [clause["REG-8"]],
  needs: ["pairing"],
  async run({ api, expectLinkedStore, pairingCode, point }) {
    const { pairing_code } = await pairingCode();
    const bodies = Array.from({ length: REGISTRATIONS }, () => newStoreRegistration(point, pairing_code));
    const responses = await Promise.all(
      bodies.map(async (body) => ({ body, response: await api.registerStore(body) })),
    );
    const accepted = responses.filter(({ response }) => isSuccess(response));
    expectThat(
      "concurrent registrations of one integrator with one code that got 2xx",
      accepted.length,
    ).isAtMost(1);
    // Positive control: one registration succeeded, so the code was valid.
    const [first] = [...accepted, ...responses];
    if (!first) throw new Error("no store was registered");
    const { id, external_store_id } = expectLinkedStore(first.response);
    const others = bodies.filter((body) => body !== first.body);
    for (const body of others) {
      const refused = await api.sendInvalid("registerStore", "a code that the integrator has used", { body });
      refused.expectError(400, "ESLEME_KODU_GECERSIZ");
      (await api.getStore(body.external_store_id)).expectError(404);
    }
    expectThat(
      { field: "id", where: "of the linked store" },
      (await api.getStore(external_store_id)).body(200).id,
    ).is(id);
  },
});

const usedByAnother = check({
  id: "pairing.used-by-another",
  title: "a pairing code that an integrator has used doesn't link another integrator's store",
  clauses: [clause["REG-8"]],
  needs: ["pairing", "second-integrator"],
  async run({ api, expectLinkedStore, other, pairingCode, point }) {
    const { pairing_code } = await pairingCode();
    expectLinkedStore(await api.registerStore(newStoreRegistration(point, pairing_code)));
    const body = newStoreRegistration(north(point, 1), pairing_code);
    const rule = "a code that another integrator has used";
    // The code may also name a restaurant, which then belongs to another integrator (BASKA_POS).
    (await other.api.sendInvalid("registerStore", rule, { body })).expectError([400, 409]);
    (await other.api.getStore(body.external_store_id)).expectError(404);
  },
});

const boundElsewhere = check({
  id: "pairing.bound-elsewhere",
  title: "linking another integrator's restaurant is refused with BASKA_POS, and nothing changes",
  clauses: [clause["REG-20"], clause["REG-21"]],
  needs: ["company-codes", "second-integrator"],
  async run({ api, attributeTo, other, companyPairingCode, point }) {
    const restaurant = `Köşe ${randomUUID()}`;
    const [ourCode, theirCode, freeCode] = [
      await companyPairingCode({ restaurant }),
      await companyPairingCode({ restaurant }),
      await companyPairingCode({}),
    ];
    const store = (await api.registerStore(newStoreRegistration(point, ourCode.pairing_code))).body(201);
    const before = (await api.getStore(store.external_store_id)).body(200);
    const body = newStoreRegistration(north(point, 1), theirCode.pairing_code);
    attributeTo(clause["REG-20"]);
    const refused = await other.api.sendInvalid("registerStore", "a restaurant of another integrator", {
      body,
    });
    refused.expectError(409, "BASKA_POS");
    attributeTo(clause["REG-21"]);
    (await other.api.getStore(body.external_store_id)).expectError(404);
    const after = (await api.getStore(store.external_store_id)).body(
      200,
      "after another integrator's refused registration of its restaurant",
    );
    const { id, name, phone, address_text, lat, lng, status, courier_company: company } = before;
    const courier_company = company && { id: company.id, name: company.name };
    const link = { id, name, phone, address_text, lat, lng, status, courier_company };
    expectFields(after, link, "the first integrator's store");
    (await other.api.registerStore({ ...body, pairing_code: freeCode.pairing_code })).body(201);
  },
});

const companyOfTheCode = check({
  id: "pairing.company-of-the-code",
  title: "a store belongs to the courier company that issued its pairing code",
  clauses: [clause["REG-22"]],
  needs: ["company-codes"],
  async run({ api, companyPairingCode, each, point, store: firstStore }) {
    // The integrator's first store, whose company differs from those of the following stores.
    await firstStore();
    const codes = [
      await companyPairingCode({ company: `Şimşek Kurye ${randomUUID()}` }),
      await companyPairingCode({ company: `Şimşek Kurye ${randomUUID()}` }),
    ];
    if (new Set(codes.map(({ courier_company }) => courier_company?.id)).size === 1)
      throw new CheckSkipped("the control interface issues every code for one courier company");
    const nameOf = (code: (typeof codes)[number]) => String(code.courier_company?.name);
    await each(cases("courier companies", codes, nameOf), async (code) => {
      const store = (await api.registerStore(newStoreRegistration(point, code.pairing_code))).body(201);
      const read = (await api.getStore(store.external_store_id)).body(200);
      const listed = storesOf(await api.call("listStores")).find(({ id }) => id === store.id);
      const responses = {
        "in the response to the registration": store,
        "returned by GET": read,
        "in the list of stores": Object(listed),
      };
      for (const [where, { courier_company }] of Object.entries(responses)) {
        const issuer = code.courier_company;
        expectThat({ field: "courier_company.id", where }, courier_company?.id).is(issuer?.id);
        expectThat({ field: "courier_company.name", where }, courier_company?.name).is(issuer?.name);
      }
    });
  },
});

export const pairingChecks: readonly Check[] = [
  expiredCode,
  concurrentUses,
  usedByAnother,
  boundElsewhere,
  companyOfTheCode,
];
