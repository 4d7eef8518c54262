import { type Exchange, type ExchangeResponse, shellQuote } from "../../core/exchange.ts";
import { isObject, parseJson } from "../../core/json.ts";
import type { Redactor } from "../../core/text/redact.ts";
import { visible } from "../../core/text/visible-text.ts";
import type { JudgedFinding } from "./finding.ts";
import { HARMLESS, JUDGEMENT } from "./judgement.ts";
import type { ControlStep } from "./trace.ts";

/** Bytes of a body that are compared, and of all of them: a script is no archive. */
const LONGEST_ANSWER = 30_000;
const LONGEST_TOLD = 300_000;
/** The same with the pages of which their records' ids alone are kept. */
const LONGEST_TOLD_WITH_IDS = 400_000;
/** Headers that the specification speaks of. */
const COMPARED_HEADERS = [
  "content-type",
  "retry-after",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
];

/** What stands for a text of the run now: a shell's expansion. */
export interface Counterpart {
  readonly text: string;
  readonly expansion: string;
}

/** What a page is without what its records hold: which there are, in which order, and how many. */
const withIdsAlone = (page: unknown): unknown =>
  isObject(page)
    ? Object.fromEntries(
        Object.entries(page).map(([name, member]) => [
          name,
          Array.isArray(member)
            ? member.map((record) =>
                isObject(record) && typeof record.id === "string" ? { id: record.id } : record,
              )
            : member,
        ]),
      )
    : page;

/** What every step was answered in the run, in the form in which the script compares it. */
export class RunRecord {
  readonly #lines: string[] = [];
  readonly #redact: Redactor;
  #length = 0;
  #groups = 0;
  /** How often nothing was under way before a call: those of one spell may have been done in any order. */
  #spells = 0;
  #busyUntil = 0;

  constructor(redact: Redactor) {
    this.#redact = redact;
  }

  /** What follows goes out together. */
  group(): void {
    this.#groups += 1;
  }

  /** @param began when it was sent, on the clock that the script's integrator has; milliseconds since 1970 */
  call(n: string, path: string, exchange: Exchange, began = exchange.startedAt): void {
    const { method, startedAt, durationMs, response, violates } = exchange;
    // A time is cut to the millisecond: what begins in the one in which another ends comes after it.
    if (startedAt + 1 >= this.#busyUntil) this.#spells += 1;
    this.#busyUntil = Math.max(this.#busyUntil, startedAt + durationMs);
    const headers = this.#redact.headers(response?.headers ?? {});
    this.#add({
      n,
      method,
      path: this.#redact.text(path),
      began: began / 1000,
      spell: this.#spells,
      status: response?.status ?? 0,
      ...(violates !== undefined && { wrong: true }),
      headers: Object.fromEntries(
        COMPARED_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
      ),
      ...(response && this.#bodyOf(response)),
    });
  }

  control(n: string, { method, path }: ControlStep, isRefused: boolean): void {
    this.#add({ n, method, path: this.#redact.text(path), control: true, refused: isRefused });
  }

  #bodyOf({ text, bytes }: ExchangeResponse): object {
    const shown = this.#redact.body(text);
    const json = parseJson(shown);
    if (!this.#hasRoomFor(text.length)) {
      const ids = withIdsAlone(json);
      return isObject(ids) && this.#hasRoomFor(JSON.stringify(ids).length, LONGEST_TOLD_WITH_IDS)
        ? { json: ids, ids_alone: true }
        : { cut: true };
    }
    if (typeof json === "object" && json !== null) return { json };
    return text.includes("\ufffd") ? { size: bytes.length } : { text: shown };
  }

  #hasRoomFor(length: number, mostTold = LONGEST_TOLD): boolean {
    return length <= LONGEST_ANSWER && this.#length + length <= mostTold;
  }

  #add(step: object): void {
    // JSON stays JSON where characters that nobody sees are written as escapes.
    const line = visible(JSON.stringify({ ...step, group: this.#groups }));
    this.#length += line.length;
    this.#lines.push(line);
  }

  /**
   * The end of a script: prints today's answer and the judgement.
   * @param isRace whether the calls are made again and again until the fault shows
   */
  judged(finding: JudgedFinding, isRace: boolean, counterparts: readonly Counterpart[]): readonly string[] {
    const words = counterparts.flatMap(({ text, expansion }) => [shellQuote(text), `"${expansion}"`]);
    const verdict = ["verdict", ...words].join(" ");
    return [
      // No line of JSON is what ends it, and nothing in it is expanded.
      `cat >"$DIR/run" <<'END_OF_RUN'`,
      ...this.#lines,
      "END_OF_RUN",
      `cat >"$DIR/finding" <<'END_OF_FINDING'`,
      visible(JSON.stringify(finding)),
      "END_OF_FINDING",
      `cat >"$DIR/judgement" <<'END_OF_JUDGEMENT'`,
      JUDGEMENT,
      "END_OF_JUDGEMENT",
      `HARMLESS=${shellQuote(HARMLESS)}`,
      ...(isRace ? [`judged() { ${verdict}; }`, "race"] : [verdict]),
    ];
  }
}
