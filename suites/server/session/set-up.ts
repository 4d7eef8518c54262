import type { Exchange } from "../../core/exchange.ts";
import { CheckFailure, NoResponse, SetUpFailure } from "../../core/grading/failures/failure.ts";
import { isUnavailable } from "../../core/http/unavailable.ts";
import type { Api } from "./http/api.ts";

/** True if the effect of a request is unknown: a later failure may not be the target's fault. */
const isDisturbed = ({ isRetried, isConnectionLost, response }: Exchange): boolean =>
  Boolean(isRetried || isConnectionLost || (response && isUnavailable(response.status)));

/**
 * Runs a step that many checks depend on. If the step fails after a lost response, it is repeated with new
 * data, because its failure would fail every check.
 * @param step sends its requests through the API that it gets
 * @throws SetUpFailure if the target breaks a rule
 */
export async function setUp<T>(api: Api, step: (api: Api) => Promise<T>): Promise<T> {
  try {
    return await undisturbed(api, step);
  } catch (error) {
    const isOwn = error instanceof CheckFailure && !(error instanceof SetUpFailure);
    throw isOwn ? new SetUpFailure(error) : error;
  }
}

async function undisturbed<T>(api: Api, step: (api: Api) => Promise<T>): Promise<T> {
  let wasDisturbed = false;
  const record = (exchange: Exchange) => {
    wasDisturbed ||= isDisturbed(exchange);
    api.options.record(exchange);
  };
  try {
    return await step(api.with({ record }));
  } catch (error) {
    // No check records the integrator's token request, so its exchange is in the error.
    wasDisturbed ||= error instanceof NoResponse && isDisturbed(error.exchange);
    if (!wasDisturbed) throw error;
    return step(api);
  }
}
