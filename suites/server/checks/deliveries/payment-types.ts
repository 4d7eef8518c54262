import { clause } from "../../../../openapi/generated/clauses.ts";
import { cases } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { textOf } from "../../../core/json.ts";
import { type Check, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import { entriesIn } from "../../session/lists/list-entries.ts";
import { type PaymentCode, paymentCodes } from "../../session/stores/payment-type.ts";

const FIELDS = ["no", "kod", "ad", "sinif"];

const entries = check({
  id: "payment-types.entries",
  smokeTestOf: "listPaymentTypes",
  title: "the list of payment types returns 200, isn't empty, and each entry has no, kod, ad and sinif",
  clauses: [clause["PAY-1"], clause["PAY-5"]],
  async run({ api, attributeTo, each }) {
    attributeTo(clause["PAY-5"]);
    const { json } = (await api.call("listPaymentTypes")).expectStatus(200);
    const types = entriesIn(json, FIELDS);
    expectThat("the number of payment types", types.length).isAtLeast(1);
    attributeTo(clause["PAY-1"]);
    await each(
      cases("payment types", types, (entry) => textOf(entry.kod ?? entry.no ?? JSON.stringify(entry))),
      (entry) => {
        for (const field of FIELDS) expectThat("the payment type", entry).hasField(field);
      },
    );
  },
});

/** Values that aren't listed codes: an unknown one, `type` in another letter case, and other fields of its entry. */
function unlistedCodes(type: PaymentCode, json: unknown): readonly PaymentCode[] {
  const entry = entriesIn(json, FIELDS).find(({ kod }) => kod === type);
  const others = [entry?.no, entry?.ad, entry?.sinif].filter(
    (value) => typeof value === "string" || typeof value === "number",
  );
  const listed = paymentCodes(json).map(String);
  const spellings = [String(type).toLowerCase(), String(type).toUpperCase()];
  const unlisted = [...spellings, ...others].filter((other) => !listed.includes(String(other)));
  return ["LISTEDE-OLMAYAN-TUR", ...new Set(unlisted)];
}

const codes = check({
  id: "payment-types.codes",
  title: "only listed payment codes are accepted",
  clauses: [clause["PAY-2"]],
  async run({ api, each, order, paymentType }) {
    const type = await paymentType();
    const { json } = (await api.call("listPaymentTypes")).expectStatus(200);
    expectThat("the listed codes", paymentCodes(json)).includes(type);
    const body = await order();
    (await api.createDelivery(body)).body(201);
    await each(cases("codes that aren't listed", unlistedCodes(type, json)), async (code) => {
      const unlisted = { body: await order({ payment: { ...body.payment, type: code } }) };
      const rule = "a payment.type that isn't listed";
      const key = newIdempotencyKey();
      (await api.sendInvalid("createDelivery", rule, unlisted, { key })).expectError(400);
    });
  },
});

/** At most this many codes of a list are tried, because a list may have hundreds. */
const MAX_CODES = 20;

const everyCode = check({
  id: "payment-types.every-code",
  title: "each listed payment code is accepted, without or with prepaid: true",
  clauses: [clause["PAY-6"]],
  async run({ api, recordCoverage, each, order, seed }) {
    const listed = [...new Set(paymentCodes((await api.call("listPaymentTypes")).expectStatus(200).json))];
    // If the list is longer than MAX_CODES, tries consecutive codes from a random position.
    const start = listed.length > MAX_CODES ? seed % listed.length : 0;
    const tried = [...listed.slice(start), ...listed.slice(0, start)].slice(0, MAX_CODES);
    await each(cases("payment codes that the target lists", tried), async (type) => {
      recordCoverage("payment-codes", [String(type)], listed.map(String));
      const onDelivery = await api.createDelivery(await order({ payment: { type, amount_due: 45 } }));
      if (onDelivery.hasContentOf(201)) return;
      const prepaid = await api.createDelivery(
        await order({ payment: { type, amount_due: 0, prepaid: true } }),
      );
      if (!prepaid.hasContentOf(201)) {
        throw prepaid.failureOfStatus(201, `for an order with the listed payment code ${type}`);
      }
    });
  },
});

export const paymentTypesChecks: readonly Check[] = [entries, codes, everyCode];
