/** The codes of `payment.type` (specification, Payment type: "the list contents: not shown"). */

/**
 * `no` is a number, `kod` the code, `ad` the name, `sinif` the class: paid at the door, in advance, or by a
 * platform.
 */
export interface PaymentType {
  no: number;
  kod: string;
  ad: string;
  sinif: "KAPIDA" | "ONLINE" | "PLATFORM";
}

export const paymentTypes: readonly PaymentType[] = [
  { no: 1, kod: "NAKIT", ad: "Nakit", sinif: "KAPIDA" },
  { no: 2, kod: "KREDI_KARTI", ad: "Kapıda kredi kartı", sinif: "KAPIDA" },
  { no: 3, kod: "YEMEK_KARTI", ad: "Kapıda yemek kartı", sinif: "KAPIDA" },
  { no: 4, kod: "ONLINE", ad: "Çevrim içi ödendi", sinif: "ONLINE" },
  { no: 5, kod: "HAVALE", ad: "Havale / EFT", sinif: "ONLINE" },
  { no: 6, kod: "YEMEKSEPETI", ad: "Yemeksepeti çevrim içi", sinif: "PLATFORM" },
  { no: 7, kod: "GETIR", ad: "Getir çevrim içi", sinif: "PLATFORM" },
  { no: 8, kod: "TRENDYOL", ad: "Trendyol çevrim içi", sinif: "PLATFORM" },
];
