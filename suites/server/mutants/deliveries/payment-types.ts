import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError, rejected } from "../../../../reference-server/errors.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants } from "../mutant.ts";
import { withoutMembers } from "../operators/answers.ts";
import { alterOrder, replaceOperation, respondWith } from "../operators/operations.ts";

type PaymentType = Dependencies["paymentTypes"][number];

/** Lists payment types that orders don't accept. */
const alterPaymentTypeList = (change: (types: readonly PaymentType[]) => readonly PaymentType[]) =>
  replaceOperation("listPaymentTypes", async ({ deps }) =>
    respondWith(200, { items: [...change(deps.paymentTypes)] }),
  );

export const LISTED_CODES = [
  "NAKIT",
  "KREDI_KARTI",
  "YEMEK_KARTI",
  "ONLINE",
  "HAVALE",
  "YEMEKSEPETI",
  "GETIR",
  "TRENDYOL",
] as const;

export const paymentTypeMutants: Mutants = {
  "payment-type-without-class": {
    fault: "the last payment type has no sinif",
    breaks: [{ clause: "PAY-1", case: "TRENDYOL" }],
    mutate: alterPaymentTypeList((types) =>
      types.map((type, i) => (i === types.length - 1 ? withoutMembers(type, "sinif") : type)),
    ),
  },
  "payment-type-without-anything": {
    fault: "the first payment type is an entry without fields",
    breaks: [{ clause: "PAY-1", case: "{}" }],
    mutate: alterPaymentTypeList((types) =>
      types.map((type, i) => (i === 0 ? withoutMembers(type, "no", "kod", "ad", "sinif") : type)),
    ),
  },
  "payment-types-empty": {
    fault: "the list of payment types is empty",
    breaks: [{ clause: "PAY-5" }],
    caughtBy: ["payment-types.entries"],
    mutate: alterPaymentTypeList(() => []),
  },
  "payment-types-answer-404": {
    fault: "the list of payment types returns 404",
    breaks: [{ clause: "PAY-5" }],
    caughtBy: ["payment-types.entries"],
    mutate: replaceOperation("listPaymentTypes", async () => {
      throw new DomainError("BULUNAMADI");
    }),
  },
  "payment-codes-listed-in-lower-case": {
    fault: "payment codes are listed in lower case, but orders accept only upper case",
    breaks: [{ clause: "PAY-2" }],
    mutate: alterPaymentTypeList((types) => types.map((type) => ({ ...type, kod: type.kod.toLowerCase() }))),
  },
  ...forEachElement(
    LISTED_CODES,
    (code) => `payment-code-${code}-is-refused`,
    (code) => ({
      fault: `an order with the listed payment code ${code} is refused`,
      breaks: breaking(code, "PAY-6"),
      mutate: replaceOperation("createDelivery", (call, original) => {
        if (call.body.payment.type === code) throw rejected("payment.type", "geçersiz");
        return original(call);
      }),
    }),
  ),
  "payment-code-HAVALE-becomes-ONLINE": {
    fault: "an order with the payment code HAVALE is stored with the code ONLINE",
    breaks: [{ clause: "DLV-18" }],
    caughtBy: ["passive.payment-type"],
    mutate: alterOrder(({ payment }) =>
      payment.type === "HAVALE" ? { payment: { ...payment, type: "ONLINE" } } : {},
    ),
  },
  "platform-codes-are-refused": {
    fault: "an order with a platform's payment code is refused",
    breaks: breaking(["YEMEKSEPETI", "GETIR", "TRENDYOL"], "PAY-6"),
    mutate: replaceOperation("createDelivery", (call, original) => {
      const { type } = call.body.payment;
      const isPlatforms = call.deps.paymentTypes.some(
        ({ kod, sinif }) => kod === type && sinif === "PLATFORM",
      );
      if (isPlatforms) throw rejected("payment.type", "geçersiz");
      return original(call);
    }),
  },
  "payment-code-in-lower-case-accepted": {
    fault: "an order accepts payment codes in lower case",
    breaks: breaking(["nakit", "Nakit"], "PAY-2"),
    mutate: alterOrder(({ payment }, { deps }) => {
      const capitals = String(payment.type).toUpperCase();
      const listed = deps.paymentTypes.some(({ kod }) => kod === capitals);
      return listed ? { payment: { ...payment, type: capitals } } : {};
    }),
  },
  "payment-number-accepted-as-a-code": {
    fault: "an order accepts a payment type's number instead of its code",
    breaks: breaking("1", "PAY-2"),
    mutate: alterOrder(({ payment }, { deps }) => {
      const entry = deps.paymentTypes.find(({ no }) => no === payment.type);
      return entry ? { payment: { ...payment, type: entry.kod } } : {};
    }),
  },
  "payment-code-of-any-kind": {
    fault: "an order accepts an unlisted text as payment.type",
    breaks: breaking(["LISTEDE-OLMAYAN-TUR", "nakit", "Nakit", "KAPIDA"], "PAY-2"),
    mutate: replaceOperation("createDelivery", (call, original) => {
      const entry: PaymentType = { no: 0, kod: String(call.body.payment.type), ad: "", sinif: "KAPIDA" };
      const paymentTypes = [...call.deps.paymentTypes, entry];
      return original({ ...call, deps: { ...call.deps, paymentTypes } });
    }),
  },
};
