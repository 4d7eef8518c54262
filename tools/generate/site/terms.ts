/** Normalizes a word for the search: lower case, without accents, and with one i for Turkish and English. */
export function comparable(word: string): string {
  return word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/ı/g, "i");
}
