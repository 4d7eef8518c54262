/** The end of a sentence on an answer: what was wrong with the request on purpose, where something was. */
export const tried = (violates: string | undefined): string =>
  violates === undefined ? "" : ` (tried: ${violates})`;

/** The sentence without what was tried: of many wrong requests that are answered alike it says the same. */
export const withoutTried = (sentence: string): string => sentence.replace(/ \(tried: .*\)/s, "");
