import { textOf } from "../../../core/json.ts";
import type { Api } from "../http/api.ts";
import { subscriptionsOf } from "../lists/list-entries.ts";
import { WebhookFailure } from "../webhook-receiver/webhook-failure.ts";

/** The listed state of an endpoint, if it may explain missing events. Undefined otherwise. */
export async function addressState(api: Api, id: string): Promise<string | undefined> {
  const listed = await api.call("listWebhooks");
  if (listed.status !== 200) return undefined;
  const shown = subscriptionsOf(listed).find((subscription) => subscription.id === id);
  if (!shown) return "the endpoint seems to be closed: it isn't listed any more";
  if (shown.status !== "ACTIVE")
    return `the endpoint seems to be closed: its status is ${textOf(shown.status)}`;
  const since = shown.failing_since ?? null;
  return since === null
    ? undefined
    : `the endpoint has been failing since ${textOf(since)}, by its failing_since`;
}

/** Adds the endpoint's state to the failure of a missing event, if it may be the cause. */
export async function toldWithState<T>(
  { state }: { readonly state: () => Promise<string | undefined> },
  wait: () => Promise<T>,
): Promise<T> {
  try {
    return await wait();
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error;
    // If the list fails too, only the missing event is reported.
    throw error.because(await state().catch(() => undefined));
  }
}
