import type { OperationId } from "../../../core/contract/document.ts";
import { NotTestable } from "../../../core/grading/failures/failure.ts";
import { isUnavailable } from "../../../core/http/unavailable.ts";
import { codeOf } from "../../../core/responses.ts";
import type { Answer } from "../../session/http/answer.ts";

type AnyAnswer = Answer<OperationId>;

/**
 * True if an answer says nothing about a limit: as a rule, a balancer sends it instead of the target, which may have
 * counted the request. An answer with the limit's own code is the target's, whatever its status.
 */
export const isOfBalancer = ({ status, response }: AnyAnswer): boolean =>
  isUnavailable(status) && codeOf(response) !== "HIZ_SINIRI";

/** This many balancer answers in a row are no coincidence. */
const MOST_SENDINGS = 4;

/** Sends a request, and repeats it at once if a balancer answers: the state under test is over soon. */
export async function pastBalancer<A extends AnyAnswer>(send: () => Promise<A>): Promise<A> {
  for (let sendings = 1; ; sendings += 1) {
    const answer = await send();
    if (!isOfBalancer(answer)) return answer;
    if (sendings === MOST_SENDINGS) throw tooMany(sendings, sendings);
  }
}

/** The share of the answers from which on they are no longer few. */
const FEW = 1 / 10;
/** This many bursts in a row, with mostly such answers, are no coincidence: the target is down, or limits this way. */
const BURSTS_IN_A_ROW = 2;

/** Those among the answers to many requests that are a balancer's. */
export class BalancerAnswers {
  #passed: number;
  /** Here and there, among others. */
  #scattered = 0;
  /** In the bursts at the end that hold little else. */
  #atTheEnd = 0;
  #bursts = 0;

  /** @param passed how many requests passed just before */
  constructor(passed = 0) {
    this.#passed = passed;
  }

  /** How many there were. */
  get count(): number {
    return this.#scattered + this.#atTheEnd;
  }

  /**
   * @param answers to a burst of requests
   * @returns an answer of the target itself: once it has answered, it gives no other answer
   * @throws NotTestable if the target has hardly answered by itself
   */
  observe(answers: readonly AnyAnswer[]): AnyAnswer | undefined {
    const theirs = answers.filter(isOfBalancer);
    this.#passed += answers.length - theirs.length;
    if (theirs.length * 2 <= answers.length) {
      this.#scattered += this.#atTheEnd + theirs.length;
      this.#atTheEnd = 0;
      this.#bursts = 0;
      return undefined;
    }
    this.#atTheEnd += theirs.length;
    this.#bursts += 1;
    if (this.#bursts < BURSTS_IN_A_ROW) return undefined;
    if (this.#passed <= this.#atTheEnd) throw this.#tooMany();
    this.#expectFew(this.#scattered);
    return theirs[0];
  }

  /** @throws NotTestable if there were so many that the others show little */
  expectFew(): void {
    this.#expectFew(this.count);
  }

  #expectFew(count: number): void {
    if (count > (this.#passed + count) * FEW) throw this.#tooMany();
  }

  #tooMany(): NotTestable {
    return tooMany(this.count, this.#passed + this.count);
  }
}

const tooMany = (count: number, all: number) =>
  new NotTestable(
    `${count} of ${all} requests were answered 502, 503 or 504, as balancers do while the service is away: too many to see the limit`,
  );
