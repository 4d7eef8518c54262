import type { Answer } from "./answers.ts";

type PaymentType = { no: string; kod: string; ad: string; sinif: number; yalnizOdenmis: boolean };

/** The first entry is a platform's code, which requires a prepaid order. */
const paymentTypes: PaymentType[] = [
  { yalnizOdenmis: true, sinif: 9, ad: "Platform ödedi", kod: "PLATFORM/ÖN ÖDEME", no: "900" },
  { yalnizOdenmis: false, sinif: 1, ad: "Nakit", kod: "kapıda-nakit", no: "010" },
  { yalnizOdenmis: false, sinif: 2, ad: "Kart", kod: "kapıda-kart", no: "011" },
  { yalnizOdenmis: false, sinif: 3, ad: "Yemek çeki", kod: "3", no: "012" },
];

export const paymentType = (code: string) => paymentTypes.find(({ kod }) => kod === code);

export const listPaymentTypes = (): Answer => ({
  status: 200,
  body: { surum: 3, sonuc: { odeme_tipleri: paymentTypes } },
});
