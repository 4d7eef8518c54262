import { document } from "../../core/contract/document.ts";
import type { Exchange } from "../../core/exchange.ts";
import { isObject } from "../../core/json.ts";

/** What the integrator had, or had had, more of than the script makes. */
export type Crowd = "deliveries" | "webhooks";

/** What a failure says, in words; secrets are taken out already. */
export interface ReproFinding {
  readonly id: string;
  readonly title: string;
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** The request that is to blame. */
  readonly blamed: Exchange | undefined;
  /** Why answers that are the same may still hide it, in words. */
  readonly veiled?: string;
  readonly crowded?: readonly Crowd[];
}

/** What the judgement needs of a failure to tell whether an answer is what was due. */
export interface JudgedFinding {
  /** The call that shows it, by its number. */
  readonly blamed: string;
  /** All that it says: a member that stands in it is one that it may be about. */
  readonly told: string;
  readonly expected: string;
  readonly actual: string;
  /** The statuses that were due, where it is about the status. */
  readonly statuses: readonly number[];
  /** Texts that it quotes as having come where they weren't due, and as due where they didn't come. */
  readonly undue: readonly string[];
  readonly lacking: readonly string[];
  /** Whether an answer has the value that wasn't due. */
  readonly is_found: boolean;
  /** How many requests of those that were sent at once may be taken, where it is about that. */
  readonly most?: number;
  /** Why answers that are the same may still hide it. */
  readonly veiled?: string;
  /** A list without them may be right, and an address be taken. */
  readonly crowded: readonly Crowd[];
  /** The names of the members that the document gives. */
  readonly members: Readonly<Record<string, true>>;
}

/** All names of the members that the document's schemas give. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  const own = isObject(value.properties) ? Object.keys(value.properties) : [];
  return [...own, ...Object.values(value).flatMap(namesIn)];
}

const MEMBERS: Readonly<Record<string, true>> = Object.fromEntries(
  namesIn(document).map((name) => [name, true]),
);

const SUCCESSES = [200, 201, 202, 204];
const isTaken = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300;

/** Every value of an answer that is no list and no object, as a failure would show it. */
function shownValuesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(shownValuesOf);
  if (isObject(value)) return Object.values(value).flatMap(shownValuesOf);
  return [String(value)];
}

function statusesDue({ expected = "", actual }: ReproFinding, blamed: Exchange): readonly number[] {
  // With the code of a refusal, or without.
  if (actual?.split(" ")[0] !== String(blamed.response?.status)) return [];
  return expected === "2xx" ? SUCCESSES : [...expected.matchAll(/\b[1-5]\d\d\b/g)].map(Number);
}

/** Whether one of these answers has the value that wasn't due. */
export const isFoundIn = ({ actual }: ReproFinding, exchanges: readonly Exchange[]): boolean =>
  actual !== undefined && exchanges.some(({ response }) => shownValuesOf(response?.json).includes(actual));

const quotedTexts = (text: string): readonly string[] =>
  [...text.matchAll(/'([^'\n]*)'/g)].map(([, quoted = ""]) => quoted).filter((quoted) => quoted !== "");

/** What a failure about several values quotes: of a whole answer's no text is any more to blame than another. */
function quotedIn({ expected = "", actual = "" }: ReproFinding): Pick<JudgedFinding, "undue" | "lacking"> {
  const [, not] = /^(?:anything|nothing) with(?:out)? (.+)$/s.exec(expected) ?? [];
  if (not !== undefined) {
    const quoted = quotedTexts(not);
    return { undue: quoted.length > 0 ? quoted : [not], lacking: [] };
  }
  if (actual.startsWith("{")) return { undue: [], lacking: [] };
  const [due, come] = [quotedTexts(expected), quotedTexts(actual)];
  return {
    undue: come.filter((text) => !due.includes(text)),
    lacking: due.filter((text) => !come.includes(text)),
  };
}

/** How many may be taken where too many of those that were sent at once were. */
function mostTaken({ expected = "", actual }: ReproFinding, atOnce: readonly Exchange[]): number | undefined {
  const [, most] = /^at most (\d+)$/.exec(expected) ?? [];
  const isThat = atOnce.length > 1 && actual === String(atOnce.filter(isTaken).length);
  return most !== undefined && isThat ? Number(most) : undefined;
}

/** @param atOnce the blamed request, with those that were sent together with it */
export function judgedFinding(
  finding: ReproFinding,
  {
    blamed,
    number,
    atOnce,
  }: { readonly blamed: Exchange; readonly number: number; readonly atOnce: readonly Exchange[] },
): JudgedFinding {
  const { title, message, expected = "", actual = "", veiled, crowded = [] } = finding;
  const most = mostTaken(finding, atOnce);
  return {
    blamed: String(number),
    told: [title, message, expected, actual].join(" "),
    expected,
    actual,
    statuses: statusesDue(finding, blamed),
    ...quotedIn(finding),
    is_found: isFoundIn(finding, atOnce),
    ...(most !== undefined && { most }),
    ...(veiled !== undefined && { veiled }),
    crowded,
    members: MEMBERS,
  };
}
