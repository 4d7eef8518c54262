import type { OperationId } from "../../../core/contract/document.ts";
import { NotTestable } from "../../../core/grading/failure.ts";
import { isUnavailable } from "../../../core/http/unavailable.ts";
import { codeOf } from "../../../core/responses.ts";
import type { Answer } from "../../session/answer.ts";

type AnyAnswer = Answer<OperationId>;

/**
 * Whether an answer says nothing of a limit: as a rule it is a balancer's instead of the target's, which has counted the
 * request or not. One with the limit's own code is the target's, whatever its status.
 */
export const isOfBalancer = ({ status, response }: AnyAnswer): boolean =>
  isUnavailable(status) && codeOf(response) !== "HIZ_SINIRI";

/** So many answers instead of the target's, one after the other, are no chance. */
const MOST_SENDINGS = 4;

/** Sends a request, and at once again where a balancer answers it: what is looked at is over soon. */
export async function pastBalancer<A extends AnyAnswer>(send: () => Promise<A>): Promise<A> {
  for (let sendings = 1; ; sendings += 1) {
    const answer = await send();
    if (!isOfBalancer(answer)) return answer;
    if (sendings === MOST_SENDINGS) throw tooMany(sendings, sendings);
  }
}

/** Of so large a part of the answers on, they are no longer a few. */
const FEW = 1 / 10;
/** As many bursts one after the other, most of whose answers are such, aren't chance: the target stays away, or limits so. */
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
   * @returns one that is taken for the target's word: once it has answered by itself, it gives no other answer
   * @throws NotTestable where it has hardly answered by itself
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

  /** @throws NotTestable where there were so many that little is shown by the others */
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
