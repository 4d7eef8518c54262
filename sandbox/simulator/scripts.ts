/**
 * What an integrator asks of the simulator for one delivery, in its `notes`: `sim:` and one of these phrases, in either
 * language and in any case. Anything else takes the ordinary way.
 */

export type Script = "ordinary" | "failed" | "returned" | "lapses-twice" | "nobody-free" | "by-hand";

/** Phrases by script, as they are shown to whoever looks for them. */
export const phrases: Record<Exclude<Script, "ordinary">, readonly [english: string, turkish: string]> = {
  failed: ["failed at the door", "kapıda teslim edilemedi"],
  returned: ["returned", "iade"],
  "lapses-twice": ["offer lapses twice", "teklif iki kez düşer"],
  "nobody-free": ["nobody free", "boşta kurye yok"],
  "by-hand": ["by hand", "elle"],
};

const scripts = ["failed", "returned", "lapses-twice", "nobody-free", "by-hand"] as const;

/** The script that the notes ask for. What follows the phrase after a full stop or on another line is for the courier. */
export function scriptIn(notes: string | null): Script {
  const asked = phraseIn(notes);
  return (asked === undefined ? undefined : scriptOf(asked)) ?? "ordinary";
}

/** What the notes ask for that is no script; undefined where they ask for nothing, or for one that there is. */
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

/** Both languages' small letters: İ and I are one here, as whoever writes on a foreign keyboard means them. */
function folded(text: string): string {
  return text.trim().toLocaleLowerCase("tr").replaceAll("ı", "i").replace(/\s+/g, " ");
}
