import { drawBy, drawnUuid, random } from "./drawn.ts";

/**
 * Names, addresses, sums and references as a restaurant's software sends them. Seeded and ordinary, so that a
 * target can't recognise the suite. Names and addresses contain letters that a faulty server damages, and
 * sums have decimals.
 */
const PEOPLE = [
  ...["Ayşe Yılmaz", "Çağrı Öztürk", "Gökçe Şahin", "Işıl Güneş", "Oğuz Çelik", "Şule Koç"],
  ...["Ümit Doğan", "Özlem Kılıç", "Tuğba Yıldız", "Müge Çetin", "Barış Ünal", "Çiğdem Ağaoğlu"],
];
const RESTAURANTS = [
  ...["Köşe Lokantası", "Çınaraltı Pide", "Şehzade Döner", "Güler Mantı Evi", "Öz Urfa Kebap"],
  ...["Yeşil Sofra", "Üsküdar Börekçisi", "Boğaziçi Balık", "Kısmet Çorba"],
];
const STREETS = [
  ...["Akdeniz Caddesi", "Büyük Karaman Caddesi", "Çırçır Caddesi", "Gülşen Sokak", "İtfaiye Caddesi"],
  ...["Kıztaşı Caddesi", "Macar Kardeşler Caddesi", "Şair Fuzuli Sokak", "Yeşil Tekke Sokak"],
];
const DISHES = [
  ...["Mercimek çorbası", "Adana dürüm", "Kuşbaşılı pide", "Lahmacun", "İskender", "Karışık ızgara"],
  ...["Mantı", "Çoban salata", "Tavuk şiş", "Sütlaç"],
];
/** Prefixes of an order's UUID. A reference has at most 40 characters, and checks add two. */
const REFERENCES = ["", "s-", "p-", "w-", "o-"];

let referencePrefix = "";

const below = (count: number): number => Math.floor(random() * count);
const one = (list: readonly string[]): string => list[below(list.length)] ?? "";
const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join("");

/** Sets the seed of all texts outside checks. */
export function drawTextsBy(seed: number): void {
  drawBy(seed);
  referencePrefix = one(REFERENCES);
}

export const personName = (): string => one(PEOPLE);
export const restaurantName = (): string => one(RESTAURANTS);
export const dishName = (): string => one(DISHES);
/** A phone number in national form. */
export const mobileNumber = (): string => `05${3 + below(3)}${2 + below(3)}${digits(7)}`;
export const landlineNumber = (): string => `+90212${2 + below(5)}${digits(6)}`;
export const streetAddress = (): string => `${one(STREETS)} ${1 + below(120)}, Fatih, İstanbul`;
/** An order's sum with one decimal other than 0. */
export const orderSum = (): number => 120 + below(400) + (1 + below(9)) / 10;

/** A reference of ASCII letters, digits and dashes, at most 38 characters (OPEN-29). */
export const newReference = (): string => `${referencePrefix}${drawnUuid()}`;
/** A reference of digits with leading zeros, as cash registers use. */
export const newReferenceOfDigits = (): string =>
  `00${BigInt(`0x${drawnUuid().replaceAll("-", "")}`)}`.slice(0, 38);
/** A number from -1 to 1. */
export const deviation = (): number => 2 * random() - 1;
