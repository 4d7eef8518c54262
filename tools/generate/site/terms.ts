/** A word as the search compares it: small, without accents, and with one i for the four of Turkish and English. */
export function comparable(word: string): string {
  return word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/ı/g, "i");
}
