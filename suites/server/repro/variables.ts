import { shellQuote } from "../../core/exchange.ts";
import { pathSegment, segmentText } from "../../core/http/path-segment.ts";
import { visible } from "../../core/text/visible-text.ts";

/** How a text of the run is written in the script. */
interface Variable {
  /** The text as it stood in the run. */
  readonly text: string;
  /** What stands for it: a shell's expansion, to be put in double quotes. */
  readonly expansion: string;
}

const escaped = (character: string) =>
  [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");

/** A word of bash in which every character is seen: what doesn't stand for itself is written by its bytes. */
function quoted(text: string): string {
  if (visible(text) === text) return shellQuote(text);
  const characters = [...text].map((one) => (visible(one) !== one || /['\\]/.test(one) ? escaped(one) : one));
  return `$'${characters.join("")}'`;
}

/** The texts of a run that are others in each repetition, and what stands for them in the script. */
export class Variables {
  readonly #known = new Map<string, Variable>();
  readonly #counts = new Map<string, number>();

  has(text: string): boolean {
    return this.#known.has(text);
  }

  /** From here on the text is what the shell's variable holds. */
  set(text: string, variable: string): void {
    this.#known.set(text, { text, expansion: `$${variable}` });
    const encoded = pathSegment(text);
    if (encoded !== text) {
      this.#known.set(encoded, { text: encoded, expansion: `$(encoded "$${variable}")` });
    }
  }

  /** A name that isn't taken yet. */
  newName(prefix: string): string {
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    return `${prefix}_${count}`;
  }

  /**
   * The text as a word of a shell: quoted, what variables stand for aside.
   * @param further what else is written otherwise
   * @param plainly how all the rest is written
   */
  word(text: string, further: readonly Variable[] = [], plainly = (plain: string) => plain): string {
    const all = [...this.#known.values(), ...further].sort((a, b) => b.text.length - a.text.length);
    let word = "";
    for (let rest = text; rest !== ""; ) {
      const [first] = all
        .map((variable) => ({ ...variable, at: rest.indexOf(variable.text) }))
        .filter(({ at }) => at >= 0)
        .sort((a, b) => a.at - b.at);
      const plain = first ? rest.slice(0, first.at) : rest;
      if (plain !== "") word += quoted(plainly(plain));
      if (!first) break;
      word += `"${first.expansion}"`;
      rest = rest.slice(first.at + first.text.length);
    }
    return word === "" ? "''" : word;
  }
}

const INSTANT =
  /\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d+)?)?(Z|(?:[+-]|%2B)\d\d(?::|%3A)?\d\d)?/g;
/** Far from now an instant is meant as it stands. */
const NEAR_MS = 60 * 86_400_000;

/** A call that was made before, by its number in the script, and when it began in the run: milliseconds since 1970. */
export interface EarlierCall {
  readonly number: number;
  readonly at: number;
}

/**
 * The instants of a text that lie near a time, as so many seconds from the script's now, or from the earlier call that they
 * lie nearer to: however long a script takes, what was before a call is before it again.
 */
export function instantsOf(
  text: string,
  near: number,
  earlier: readonly EarlierCall[] = [],
): readonly Variable[] {
  return [...text.matchAll(INSTANT)].flatMap(([written, zone = ""]) => {
    const suffix = segmentText(zone);
    const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d\d):?(\d\d)$/.exec(suffix) ?? [];
    const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
    const wall = Date.parse(`${segmentText(written).slice(0, 19)}Z`);
    if (Number.isNaN(wall)) return [];
    const instant = wall - offset * 1000;
    if (Math.abs(instant - near) > NEAR_MS) return [];
    const distance = (one: { readonly at: number }) => Math.abs(instant - one.at);
    const origin = earlier.reduce<Partial<EarlierCall> & Pick<EarlierCall, "at">>(
      (nearest, call) => (distance(call) < distance(nearest) ? call : nearest),
      { at: near },
    );
    const seconds = Math.round((instant - origin.at) / 1000);
    const since = origin.number === undefined ? "" : ` ${origin.number}`;
    const at = `$(at ${seconds} ${offset} '${suffix}'${since})`;
    return [{ text: written, expansion: written.includes("%") ? `$(encoded "${at}")` : at }];
  });
}
