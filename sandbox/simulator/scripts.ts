/**
 * A phrase in a delivery's `notes` chooses how the delivery is simulated: `sim:` and one of these phrases, in English
 * or Turkish, case-insensitive. The default is an ordinary delivery.
 */

export type Script = "ordinary" | "failed" | "returned" | "lapses-twice" | "nobody-free" | "by-hand";

/** Phrases by script, as the documentation and the console show them. */
export const phrases: Record<Exclude<Script, "ordinary">, readonly [english: string, turkish: string]> = {
  failed: ["failed at the door", "kapıda teslim edilemedi"],
  returned: ["returned", "iade"],
  "lapses-twice": ["offer lapses twice", "teklif iki kez düşer"],
  "nobody-free": ["nobody free", "boşta kurye yok"],
  "by-hand": ["by hand", "elle"],
};

const scripts = ["failed", "returned", "lapses-twice", "nobody-free", "by-hand"] as const;

/** The script that the notes name. Text after a full stop or on another line is for the courier. */
export function scriptIn(notes: string | null): Script {
  const asked = phraseIn(notes);
  return (asked === undefined ? undefined : scriptOf(asked)) ?? "ordinary";
}

/** The unknown script that the notes name; undefined if the notes name a known script or no script. */
export function unknownPhraseIn(notes: string | null): string | undefined {
  const asked = phraseIn(notes);
  return asked === undefined || scriptOf(asked) !== undefined ? undefined : asked;
}

const phraseIn = (notes: string | null): string | undefined =>
  /(?:^|\s)sim:\s*([^.;\n]+)/i.exec(notes ?? "")?.[1]?.trim();

function scriptOf(phrase: string): Script | undefined {
  const wanted = folded(phrase);
  return scripts.find((script) => phrases[script].some((known) => folded(known) === wanted));
}

/** Lower case of both languages. İ and I are equal, because foreign keyboards lack the letter İ. */
function folded(text: string): string {
  return text.trim().toLocaleLowerCase("tr").replaceAll("ı", "i").replace(/\s+/g, " ");
}
