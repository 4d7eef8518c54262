import { isDeepStrictEqual } from "node:util";
import { clause } from "../../../openapi/generated/clauses.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { member, textMember } from "../../core/json.ts";
import { described } from "../../core/text/shown-value.ts";
import type { ClientCheck } from "../check.ts";
import type { Evidence } from "../session/evidence.ts";
import type { RecordedRequest } from "../session/request.ts";
import { withPlusSigns } from "../session/sandbox/cursors.ts";
import { listFilterOf } from "../session/task.ts";

const cursorOf = ({ query }: RecordedRequest): string | null => query.get("since");
const hasMoreIn = ({ completion }: RecordedRequest): unknown =>
  member(completion?.response?.json, "has_more");
const nextCursor = ({ completion }: RecordedRequest): string | undefined =>
  textMember(completion?.response?.json, "next_cursor");
const isEmpty = ({ completion }: RecordedRequest): boolean =>
  isDeepStrictEqual(member(completion?.response?.json, "items"), []);
const isPage = (one: RecordedRequest): boolean => typeof hasMoreIn(one) === "boolean";

/**
 * The client's next list request after `page`.
 * @throws CheckSkipped if the run ended before the next list request
 */
function nextAfter(evidence: Evidence, page: RecordedRequest): RecordedRequest | undefined {
  const next = evidence.catchUps.find(
    ({ number, startNumber }) => number > page.number && startNumber === page.startNumber,
  );
  if (!next && !evidence.hasSettled(page)) {
    throw new CheckSkipped("the run ended before the client could continue the list");
  }
  return next;
}

/**
 * Sequences of list requests that follow cursors. If the client followed no cursor, all lists with more pages.
 */
function catchUps(evidence: Evidence): readonly (readonly RecordedRequest[])[] {
  const groups = Map.groupBy(evidence.catchUps, (one) => `${one.startNumber} ${listFilterOf(one)}`);
  const lists = [...groups.values()];
  const going = lists.filter((list) => list.some((one) => cursorOf(one) !== null));
  return going.length > 0 ? going : lists.filter((list) => list.some((one) => hasMoreIn(one) === true));
}

/** The cursor that a service reads if the client doesn't encode the query. */
const decodedUnencoded = (cursor: string): string | null =>
  withPlusSigns(new URLSearchParams(`since=${cursor}`)).get("since");

/** The cursor that the client sent, or a phrase that says there is none. */
const sentCursor = (asked: RecordedRequest | undefined): unknown =>
  asked
    ? (cursorOf(asked) ?? described("none (the beginning of the list)"))
    : described("no further request");

function differenceOf(sent: string | null, due: string): string | undefined {
  if (sent === null) return undefined;
  if (sent.toLowerCase() === due.toLowerCase()) return "the cursor with letters in another case";
  if (sent === encodeURIComponent(due)) return "the cursor encoded twice";
  if (sent === due.replace(/=+$/, "")) return "the cursor without the = at its end";
  if (sent === decodedUnencoded(due)) return "what remains of a cursor that isn't encoded";
  if (!Number.isNaN(Date.parse(sent)) && /^\d{4}-\d\d-\d\dT/.test(sent))
    return "a time instead of the cursor";
  return "another cursor";
}

/** After this many immediate requests for the page after the end, the client doesn't recognise the end. */
const MAX_REQUESTS_AFTER_END = 3;
/** The maximum milliseconds before an immediate request, fewer than the polling interval of any client. */
const IMMEDIATE_MS = 500;
/** A request counts as immediate if its delay is below this multiple of the client's turnaround. */
const IMMEDIATE_TURNAROUND = { times: 5, plusMs: 10 };

/** The client's immediate request for the page after a list's end; undefined if there is none. */
function immediateRequestAfter(evidence: Evidence, end: RecordedRequest): RecordedRequest | undefined {
  const next = evidence.catchUps.find(
    (one) =>
      one.number > end.number && one.startNumber === end.startNumber && cursorOf(one) === nextCursor(end),
  );
  if (!next || !end.completion) return undefined;
  const prompt = Math.min(
    evidence.turnaround.most * IMMEDIATE_TURNAROUND.times + IMMEDIATE_TURNAROUND.plusMs,
    IMMEDIATE_MS,
  );
  return next.arrivedAt - end.completion.at <= prompt ? next : undefined;
}

export const catchUpChecks: readonly ClientCheck[] = [
  {
    id: "catch-up.to-the-end",
    title:
      "the client continues with since=next_cursor until has_more is false, even after short or empty pages",
    clauses: [clause["CLIENT-10"]],
    scenarios: [],
    judge(evidence) {
      const lists = catchUps(evidence);
      if (!lists.flat().some((one) => hasMoreIn(one) === true)) {
        throw new CheckSkipped("no list had more than one page: place ten orders, then read the list");
      }
      for (const list of lists) {
        const cursors = new Set(list.map(cursorOf));
        const left = list.find((one) => hasMoreIn(one) === true && !cursors.has(nextCursor(one) ?? null));
        if (left && evidence.hasSettled(left)) {
          const asked = list.find(({ number }) => number > left.number);
          const cursor = nextCursor(left);
          evidence
            .expectThat(
              `since after ${isEmpty(left) ? "an empty page" : "a page"} with has_more: true`,
              sentCursor(asked),
              [left, ...(asked ? [asked] : [])],
              asked && differenceOf(cursorOf(asked), cursor ?? ""),
            )
            .is(cursor);
        }
        const last = list.findLast((one) => one.completion !== undefined);
        if (last && hasMoreIn(last) !== false && evidence.hasSettled(last)) {
          const fault = last.fault === undefined ? "" : `, after ${last.fault}`;
          const note = `the client stopped before the end of the list${fault}`;
          evidence.fail({ subject: "a page with has_more: false", relation: "to arrive", note }, [last]);
        }
      }
      return lists.map((list) => `${list.filter(isPage).length} pages`);
    },
  },
  {
    id: "catch-up.ends",
    title: "the client stops when has_more is false, even if the page has a next_cursor",
    clauses: [clause["CLIENT-10"]],
    scenarios: [],
    judge(evidence) {
      const ends = evidence.catchUps.filter(
        (one) => hasMoreIn(one) === false && nextCursor(one) !== undefined && evidence.hasSettled(one),
      );
      if (ends.length === 0) throw new CheckSkipped("no list was read to its end");
      const asked = ends.map((end) => immediateRequestAfter(evidence, end));
      const goingOn = asked.findIndex((_, i) =>
        asked
          .slice(i, i + MAX_REQUESTS_AFTER_END)
          .every((next) => next !== undefined && hasMoreIn(next) === false),
      );
      const [end, next] = [ends[goingOn], asked[goingOn]];
      if (end && next && asked.length >= goingOn + MAX_REQUESTS_AFTER_END) {
        const subject = "an immediate request after a page with has_more: false";
        evidence.fail({ subject, relation: "not to arrive", actual: `since=${cursorOf(next)}` }, [end, next]);
      }
      return [];
    },
  },
  {
    id: "catch-up.starts-again",
    title: "on IMLEC_GECERSIZ the client starts again without a cursor",
    clauses: [clause["CLIENT-16"]],
    scenarios: ["lost-cursor"],
    judge(evidence) {
      const page = evidence.pageIn("lost-cursor");
      const next = nextAfter(evidence, page);
      if (!next || cursorOf(next) !== null) {
        const subject = "a request for the list without since after IMLEC_GECERSIZ";
        const actual = next && `since=${cursorOf(next)}`;
        evidence.fail({ subject, relation: "to arrive", actual }, next ? [page, next] : [page]);
      }
      return [];
    },
  },
  {
    id: "catch-up.last-cursor",
    title: "after an interruption the client continues from its last cursor",
    clauses: [clause["CLIENT-14"]],
    scenarios: ["interrupted-page"],
    judge(evidence) {
      const page = evidence.pageIn("interrupted-page");
      const next = nextAfter(evidence, page);
      evidence
        .expectThat("since after a broken connection", sentCursor(next), next ? [page, next] : [page])
        .is(cursorOf(page) ?? sentCursor(page));
      return [];
    },
  },
];
