import { drawBy, drawnUuid, random } from "./drawn.ts";

/**
 * Names, addresses, sums and references like those of a restaurant's software. They are seeded and ordinary, so
 * that a target can't recognise the suite. Names and addresses contain letters that a faulty server damages,
 * and sums have decimals.
 */
const PEOPLE = [
  ...["Ayşe Yılmaz", "Çağrı Öztürk", "Gökçe Şahin", "Işıl Güneş", "Oğuz Çelik", "Şule Koç"],
  ...["Ümit Doğan", "Özlem Kılıç", "Tuğba Yıldız", "Müge Çetin", "Barış Ünal", "Çiğdem Ağaoğlu"],
  ...['Nazlı "Naz" Özgür', "Ayla & Ozan Tez", "Deniz Uz (3. kat)", "Zehra O'Brien", "Bora/Lale Akıncı"],
];
const RESTAURANTS = [
  ...["Köşe Lokantası", "Çınaraltı Pide", "Şehzade Döner", "Güler Mantı Evi", "Öz Urfa Kebap"],
  ...["Yeşil Sofra", "Üsküdar Börekçisi", "Boğaziçi Balık", "Kısmet Çorba"],
  ...["Ocakbaşı & Meze 34", 'Tarihi "Hamsi" Evi', "Lezzet Durağı (7/24)", "Simit <Saray>  Fatih"],
];
const STREETS = [
  ...["Akdeniz Caddesi", "Büyük Karaman Caddesi", "Çırçır Caddesi", "Gülşen Sokak", "İtfaiye Caddesi"],
  ...["Kıztaşı Caddesi", "Macar Kardeşler Caddesi", "Şair Fuzuli Sokak", "Yeşil Tekke Sokak"],
];
const DISHES = [
  ...["Mercimek çorbası", "Adana dürüm", "Kuşbaşılı pide", "Lahmacun", "İskender", "Karışık ızgara"],
  ...["Mantı", "Çoban salata", "Tavuk şiş", "Sütlaç", "Kebap & pilav", "1/2 ekmek döner", 'Ayran "büyük" 🥛'],
];
/** What follows the house number in an address. */
const DOORS = ["", "", "/A", " (arka kapı)", ' "Gül" apt.', " D:4/7  B blok", " <zemin> & bodrum", " K.2 🏠"];
const REASONS = [
  ...["Müşteri vazgeçti", 'Adres "No 12/3" yok', "Sipariş 2  kez girilmiş 🙏", "Ürün kalmadı\n(mutfak)"],
  ...["Müşteri çok beklemek istemez", "Stok <0> & depo kapalı", "Yanlış tutar: 40,50"],
];
/** Prefixes of an order's UUID in a reference. A reference has at most 40 characters, and checks add two. */
const REFERENCES = ["", "s-", "p-", "w-", "o-"];

let referencePrefix = "";

const below = (count: number): number => Math.floor(random() * count);
const one = (list: readonly string[]): string => list[below(list.length)] ?? "";
const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join("");

/** Sets the seed of the texts outside checks. */
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
export function streetAddress(): string {
  const street = one(STREETS);
  const number = 1 + below(120);
  return `${street} ${number}${DOORS[number % DOORS.length] ?? ""}, Fatih, İstanbul`;
}
/** A reason that depends on a UUID, so that a cancellation doesn't advance the random sequence. */
export const cancellationReason = (): string =>
  REASONS[Number.parseInt(drawnUuid().slice(0, 2), 16) % REASONS.length] ?? "";
/** An order's sum. Its only decimal isn't 0. */
export const orderSum = (): number => 120 + below(400) + (1 + below(9)) / 10;

/** A reference of ASCII letters, digits and dashes, at most 38 characters (OPEN-29). */
export const newReference = (): string => `${referencePrefix}${drawnUuid()}`;
/** A reference of digits with leading zeros, as cash registers use. */
export const newReferenceOfDigits = (): string =>
  `00${BigInt(`0x${drawnUuid().replaceAll("-", "")}`)}`.slice(0, 38);
/** A random number from -1 to 1. */
export const deviation = (): number => 2 * random() - 1;
export const randomBetween = (min: number, max: number): number =>
  (min + max) / 2 + ((max - min) / 2) * deviation();
