import { existsSync, readFileSync } from "node:fs";

/** What a run on one faulty subject came to. */
export interface MutantSignature {
  /** What is wrong with it, in words that follow "like a server where" or "like a receiver that". */
  readonly fault: string;
  /**
   * Of which of the dictionary's checks it is known how they end: so many of the first. None where all that is known are
   * the checks that name it, and that `npm test` shows to fail on it.
   */
  readonly upTo: number;
  /** Of these the ones that fail, by their places in the dictionary's list. */
  readonly failed: readonly number[];
  /** By such a place what the failure says, without its values, where that is known. */
  readonly words?: Readonly<Record<number, string>>;
}

/** Which checks fail on which faulty subjects, as `npm run mutants -- --signatures` has seen it. */
export interface SignatureDictionary {
  /** Ids; new ones are added at the end, so that older places stay right. */
  readonly checks: readonly string[];
  readonly mutants: Readonly<Record<string, MutantSignature>>;
}

/** Where the dictionary is kept. */
export const SIGNATURES_FILE = new URL("../../../openapi/generated/mutant-signatures.json", import.meta.url);

const NOTHING_KNOWN: SignatureDictionary = { checks: [], mutants: {} };

/** The dictionary as it is kept; an empty one where there is none. */
export function readSignatures(file: URL = SIGNATURES_FILE): SignatureDictionary {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : NOTHING_KNOWN;
}

/** The dictionary as a file: a line for each mutant, so that a change shows which. */
export function signaturesFile({ checks, mutants }: SignatureDictionary): string {
  const lines = Object.entries(mutants)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, signature]) => `${JSON.stringify(id)}:${JSON.stringify(signature)}`);
  return `{"checks":${JSON.stringify(checks)},\n"mutants":{\n${lines.join(",\n")}\n}}\n`;
}

/** What was seen of a mutant: how checks ended, and what those say that failed, without its values. */
interface SeenOfMutant {
  readonly fault: string;
  readonly statuses: Readonly<Record<string, string>>;
  readonly words?: Readonly<Record<string, string>>;
}

/** What is known of a mutant, unless its fault is told otherwise now. */
const knownAs = (fault: string, signature: MutantSignature | undefined): MutantSignature | undefined =>
  signature?.fault === fault ? signature : undefined;

/** What failures say by their checks' places, where it is known of checks that fail. */
function placedWords(
  checks: readonly string[],
  failed: readonly number[],
  words: Readonly<Record<string, string>>,
  before: MutantSignature | undefined,
): Pick<MutantSignature, "words"> {
  const placed = failed.flatMap((place) => {
    const said = words[checks[place] ?? ""] ?? before?.words?.[place];
    return said === undefined ? [] : [[place, said] as const];
  });
  return placed.length > 0 ? { words: Object.fromEntries(placed) } : {};
}

/** The dictionary with what was seen of a mutant: of checks that weren't run now, what was seen of them before. */
export function withSignature(
  { checks, mutants }: SignatureDictionary,
  id: string,
  { fault, statuses, words = {} }: SeenOfMutant,
): SignatureDictionary {
  const known = new Set(checks);
  const all = [...checks, ...Object.keys(statuses).filter((check) => !known.has(check))];
  const before = knownAs(fault, mutants[id]);
  const isKept = (place: number) =>
    before !== undefined && place < before.upTo && before.failed.includes(place);
  const failed = all.flatMap((check, place) =>
    (statuses[check] === undefined ? isKept(place) : statuses[check] === "failed") ? [place] : [],
  );
  const signature = { fault, upTo: all.length, failed, ...placedWords(all, failed, words, before) };
  return { checks: all, mutants: { ...mutants, [id]: signature } };
}

/** The dictionary with a mutant that was never run on all checks: of it those are known that name it. */
export function withNamed(
  { checks, mutants }: SignatureDictionary,
  id: string,
  { fault, naming }: { readonly fault: string; readonly naming: readonly string[] },
): SignatureDictionary {
  const known = new Set(checks);
  const all = [...checks, ...naming.filter((check) => !known.has(check))];
  const failed = all.flatMap((check, place) => (naming.includes(check) ? [place] : []));
  const before = knownAs(fault, mutants[id]);
  return {
    checks: all,
    mutants: { ...mutants, [id]: { fault, upTo: 0, failed, ...placedWords(all, failed, {}, before) } },
  };
}

/** The dictionary with what the failures of a mutant that it holds say, by their checks. */
export function withWords(
  { checks, mutants }: SignatureDictionary,
  id: string,
  words: Readonly<Record<string, string>>,
): SignatureDictionary {
  const before = mutants[id];
  if (!before) return { checks, mutants };
  const signature = { ...before, ...placedWords(checks, before.failed, words, before) };
  return { checks, mutants: { ...mutants, [id]: signature } };
}

/** Of these checks the ones of which it isn't known how they end on a mutant; all, where its fault is told otherwise now. */
export function unseenOf(
  { checks, mutants }: SignatureDictionary,
  id: string,
  fault: string,
  asked: readonly string[],
): readonly string[] {
  const signature = knownAs(fault, mutants[id]);
  if (!signature) return asked;
  const seen = new Set(checks.slice(0, signature.upTo));
  return asked.filter((check) => !seen.has(check));
}
