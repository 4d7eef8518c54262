import { clause } from "../../../../openapi/generated/clauses.ts";
import { wallClock } from "../../../core/clock.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import type { Api } from "../../session/http/api.ts";
import {
  countLimited,
  exhaust,
  expectAllowance,
  expectRetryAfter,
  type Limit,
  UNTHROTTLED,
} from "../../support/rate-limit.ts";

/** Requests per minute (specification, "Limits"). */
const PER_ADDRESS = 300;
const TOKENS_PER_ADDRESS = 30;

/** Several tries, because a window may end during a try. */
const MAX_TRIES = 3;

const address = check({
  id: "limits.ip-address",
  title: "a source IP may send 300 requests a minute without a token, and well above that it gets 429",
  clauses: [clause["LIMIT-6"], clause["LIMIT-7"], clause["LIMIT-41"]],
  isolation: "runs-last",
  async run(context) {
    const { attributeTo, recordCoverage, freshAnonymous } = context;
    recordCoverage("limits", ["anonymous"]);
    const { api, idle } = freshAnonymous();
    const limit: Limit = {
      perMinute: PER_ADDRESS,
      concurrency: 25,
      send: () => api.call("getHealth", {}, UNTHROTTLED),
      budget: api.options.address().anonymous,
    };
    attributeTo(clause["LIMIT-7"]);
    const passed = await expectAllowance(context, limit, idle);
    attributeTo(clause["LIMIT-6"]);
    const limited = await exhaust(limit, passed);
    limited.expectError(429, "HIZ_SINIRI");
    attributeTo(clause["LIMIT-41"]);
    expectRetryAfter(limited, wallClock(), "anonymous");
  },
});

const limitOfTokens = (api: Api, obtainToken: BaseContext["obtainToken"]): Limit => ({
  perMinute: TOKENS_PER_ADDRESS,
  concurrency: 5,
  send: () => obtainToken(api, UNTHROTTLED),
  budget: api.options.address().tokens,
});

/** The number of token requests of another client at the limit. */
const TOKENS_AT_THE_LIMIT = 5;

const tokenLimit = check({
  id: "limits.tokens",
  title: "a source IP may request 30 tokens a minute, and well above that it gets 429",
  clauses: [clause["LIMIT-9"], clause["LIMIT-10"], clause["LIMIT-41"]],
  isolation: "runs-last",
  async run(context) {
    const { attributeTo, recordCoverage, freshAnonymous, obtainToken, retireIntegrator } = context;
    recordCoverage("limits", ["token"]);
    retireIntegrator();
    const { api, idle } = freshAnonymous();
    const limit = limitOfTokens(api, obtainToken);
    attributeTo(clause["LIMIT-10"]);
    const passed = await expectAllowance(context, limit, idle);
    attributeTo(clause["LIMIT-9"]);
    const limited = await exhaust(limit, passed);
    limited.expectError(429, "HIZ_SINIRI");
    attributeTo(clause["LIMIT-41"]);
    expectRetryAfter(limited, wallClock(), "token");
  },
});

const tokensOfTwoClients = check({
  id: "limits.tokens-of-two-clients",
  title: "at the limit of its token requests, a source IP gets no token for another client either",
  clauses: [clause["LIMIT-47"]],
  needs: ["second-integrator"],
  isolation: "runs-last",
  async run({ freshAnonymous, obtainToken, other, retireIntegrator }) {
    retireIntegrator();
    const { api } = freshAnonymous();
    const limit = limitOfTokens(api, obtainToken);
    const body = { grant_type: "client_credentials", ...other.credentials } as const;
    const send = () => api.call("obtainToken", { body }, UNTHROTTLED);
    let limitedCount = 0;
    for (let tries = 0; limitedCount === 0 && tries < MAX_TRIES; tries += 1) {
      await exhaust(limit);
      limitedCount = await countLimited({ send }, TOKENS_AT_THE_LIMIT);
    }
    expectThat("token requests of another client at the limit that got 429", limitedCount).isMoreThan(0);
  },
});

/** Other checks may have to wait for the limit of their IP address, so these checks come last. */
export const addressLimitsChecks: readonly Check[] = [tokenLimit, tokensOfTwoClients, address];
