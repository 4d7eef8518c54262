import { clause } from "../../../openapi/generated/clauses.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { described } from "../../core/text/shown-value.ts";
import type { ClientCheck } from "../check.ts";
import type { Evidence } from "../session/evidence.ts";
import type { RecordedRequest } from "../session/request.ts";
import { repetitionsIn } from "../session/task.ts";
import type { TaskKind } from "../session/task-kind.ts";
import { explainByTokenPerRequest } from "../support/token-per-request.ts";

const TOKEN_LIFE_S = 1800;
/** Seconds after which a client may renew a token: not in the first half of the token's lifetime. */
const EARLIEST_RENEWAL_S = TOKEN_LIFE_S / 2;

/** @throws CheckSkipped if the client made no request that needs a token */
function requestsWithToken({ authorised: requests }: Evidence): readonly RecordedRequest[] {
  if (requests.length === 0)
    throw new CheckSkipped("the client made no call that needs a token: place an order");
  return requests;
}

/**
 * True if the client had a reason to use a new token for `next`: the previous token was refused, or old enough
 * to renew.
 */
function isSpent(evidence: Evidence, request: RecordedRequest, next: RecordedRequest): boolean {
  const granted = evidence.issuedAt(request.token);
  const refused = evidence.requests.some(
    ({ token, completion }) =>
      token === request.token && completion?.response?.status === 401 && completion.at < next.arrivedAt,
  );
  return granted === undefined || refused || next.arrivedAt - granted > EARLIEST_RENEWAL_S * 1000;
}

/** Retries whose previous attempt had a token that was still usable, as pairs of requests. */
const retriesWithUsableToken = (
  evidence: Evidence,
): readonly (readonly [RecordedRequest, RecordedRequest])[] =>
  repetitionsIn(evidence.tasks).filter(([before, next]) => !isSpent(evidence, before, next));

/** Kinds of tasks of which a client usually performs several in a row. */
const KINDS_IN_A_ROW = ["order", "page"] as const satisfies readonly TaskKind[];

/** The minimum number of pairs of tasks for a conclusion. */
const MIN_PAIRS = 2;

/**
 * Pairs of requests of two tasks of one kind. The second task starts after the first has ended, while the first
 * task's token is still valid. Overlapping tasks are left out, because concurrent parts of a client may have separate
 * tokens.
 */
const successivePairs = (
  evidence: Evidence,
  kind: TaskKind,
): readonly (readonly [RecordedRequest, RecordedRequest])[] =>
  [...Map.groupBy(evidence.tasks, ({ startNumber }) => startNumber).values()].flatMap((tasks) => {
    const alike = tasks.filter((task) => task.kind === kind);
    return alike.flatMap((task, i) => {
      const before = alike[i - 1]?.tries.at(-1);
      const [next] = task.tries;
      if (!before?.completion || !next || before.completion.at > next.arrivedAt) return [];
      return isSpent(evidence, before, next) ? [] : [[before, next] as const];
    });
  });

/** Fails if calls used a new token although the previous token was valid. */
const expectReuse = (
  evidence: Evidence,
  [call, before]: readonly [string, string],
  fresh: ReturnType<typeof successivePairs>,
  all: number,
): void =>
  evidence
    .expectThat(
      `the token of ${call}`,
      described(`a new token in ${fresh.length} of ${all} cases`),
      fresh[0] ?? [],
    )
    .satisfies(`the token of the previous ${before}, which is still valid`, fresh.length === 0);

/** Fails if most of a client's orders or pages each used a new token. */
function judgeSuccessivePairs(evidence: Evidence, kind: (typeof KINDS_IN_A_ROW)[number]): string {
  const pairs = successivePairs(evidence, kind);
  const fresh = pairs.filter(
    ([before, next]) => (evidence.issuedAt(next.token) ?? 0) > (before.completion?.at ?? before.arrivedAt),
  );
  if (pairs.length >= MIN_PAIRS && fresh.length > pairs.length / 2)
    expectReuse(evidence, [`the next ${kind}`, kind], fresh, pairs.length);
  return `${pairs.length - fresh.length} of ${pairs.length} times the next ${kind} reused a token`;
}

export const tokensChecks: readonly ClientCheck[] = [
  {
    id: "tokens.exchanged-first",
    title: "every call carries a token that the service had issued to the client",
    clauses: [clause["CLIENT-1"]],
    scenarios: [],
    judge(evidence) {
      const requests = requestsWithToken(evidence);
      for (const one of requests) {
        const granted = evidence.issuedAt(one.token);
        evidence
          .expectThat(`the token of ${one.operation}`, described(one.token ? "another token" : "no token"), [
            one,
          ])
          .satisfies(
            "a token that the service had issued",
            granted !== undefined && granted <= one.arrivedAt,
          );
      }
      return [`${requests.length} calls, all with a token that the service had issued`];
    },
  },
  {
    id: "tokens.bearer-header",
    title: "every call carries its token as a bearer token in the Authorization header",
    clauses: [clause["CLIENT-13"]],
    scenarios: [],
    judge(evidence) {
      const requests = requestsWithToken(evidence);
      for (const one of requests) {
        const sent = described(one.headers.authorization === undefined ? "no such header" : "another form");
        evidence
          .expectThat(`the Authorization header of ${one.operation}`, sent, [one])
          .satisfies("Bearer and the token", one.token !== undefined);
      }
      return [];
    },
  },
  {
    id: "tokens.reused",
    title: "a valid token is reused, for the next order and for retries",
    clauses: [clause["CLIENT-11"]],
    scenarios: ["server-error", "bad-gateway", "unavailable"],
    judge(evidence) {
      const pairs = retriesWithUsableToken(evidence);
      if (pairs.length === 0) {
        throw new CheckSkipped(
          "no order was sent again while its token was valid: make the client retry an order",
        );
      }
      // A pair proves nothing if a concurrent part of the client had already obtained the second token.
      const fresh = pairs.filter(
        ([before, next]) =>
          next.token !== before.token &&
          (evidence.issuedAt(next.token) ?? 0) > before.arrivedAt &&
          !evidence.wasRequestedForAReason(next.token),
      );
      explainByTokenPerRequest(evidence, () =>
        expectReuse(evidence, ["a retry", "attempt"], fresh, pairs.length),
      );
      return [
        `${pairs.length} retries reused the token`,
        ...KINDS_IN_A_ROW.map((kind) => judgeSuccessivePairs(evidence, kind)),
      ];
    },
  },
  {
    id: "tokens.renewed",
    title: "when a token has expired, the client gets a new one and uses it",
    clauses: [clause["CLIENT-12"]],
    scenarios: ["expired-token"],
    judge(evidence) {
      for (const { tries } of evidence.ordersIn("expired-token")) {
        const [expired] = tries;
        if (!expired) continue;
        const renewed = evidence.authorised.find(
          ({ number, token }) =>
            number > expired.number && token !== expired.token && evidence.issuedAt(token) !== undefined,
        );
        if (!renewed) {
          evidence.fail(
            { subject: "a call with a new token after the first token expired", relation: "to arrive" },
            tries.slice(0, 2),
          );
        }
      }
      return [];
    },
  },
];
