import type { OperationId } from "../../../core/contract/document.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { isUnavailable } from "../../../core/http/unavailable.ts";
import { codeOf } from "../../../core/responses.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";

type AnyAnswer = ApiResponse<OperationId>;

/**
 * True if a response says nothing about a limit. Usually a balancer sends it, and the target may have counted
 * the request. A response with the limit's code is always the target's.
 */
export const isFromBalancer = ({ status, raw }: AnyAnswer): boolean =>
  isUnavailable(status) && codeOf(raw) !== "HIZ_SINIRI";

/** Sends a request, and repeats it once if a balancer responds. The tested state is too short for a later run. */
export async function pastBalancer<A extends AnyAnswer>(send: () => Promise<A>): Promise<A> {
  const first = await send();
  return isFromBalancer(first) ? send() : first;
}

/** If a balancer sends a larger share of the responses, the result is uncertain. */
const TOLERATED_SHARE = 1 / 10;
/** After this many consecutive bursts of mostly 502, 503 or 504, the target itself limits with these statuses. */
const BURSTS_IN_A_ROW = 2;

/** The balancer responses among many requests. */
export class BalancerAnswers {
  #passed: number;
  /** Balancer responses between other responses. */
  #scattered = 0;
  /** Balancer responses in the last bursts, which contain little else. */
  #inLastBursts = 0;
  #bursts = 0;

  /** @param passed the number of requests that passed just before */
  constructor(passed = 0) {
    this.#passed = passed;
  }

  get count(): number {
    return this.#scattered + this.#inLastBursts;
  }

  /**
   * Counts the responses to a burst.
   * @returns a 502, 503 or 504 with which the target itself limits requests; undefined if there is none
   * @throws CheckSkipped if most responses are a balancer's
   */
  observe(responses: readonly AnyAnswer[]): AnyAnswer | undefined {
    const balancerAnswers = responses.filter(isFromBalancer);
    this.#passed += responses.length - balancerAnswers.length;
    if (balancerAnswers.length * 2 <= responses.length) {
      this.#scattered += this.#inLastBursts + balancerAnswers.length;
      this.#inLastBursts = 0;
      this.#bursts = 0;
      return undefined;
    }
    this.#inLastBursts += balancerAnswers.length;
    this.#bursts += 1;
    if (this.#bursts < BURSTS_IN_A_ROW) return undefined;
    if (this.#passed <= this.#inLastBursts) throw this.#tooMany();
    this.#expectFew(this.#scattered);
    return balancerAnswers[0];
  }

  /** @throws CheckSkipped if there were too many balancer responses for a result */
  expectFew(): void {
    this.#expectFew(this.count);
  }

  #expectFew(count: number): void {
    if (count > (this.#passed + count) * TOLERATED_SHARE) throw this.#tooMany();
  }

  #tooMany(): CheckSkipped {
    const all = this.#passed + this.count;
    return new CheckSkipped(
      `${this.count} of ${all} requests got 502, 503 or 504, as load balancers send while the service is unavailable: too many to measure the limit`,
    );
  }
}
