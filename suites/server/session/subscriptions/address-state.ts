import { textOf } from "../../../core/json.ts";
import type { Api } from "../api.ts";
import { subscriptionsOf } from "../list-entries.ts";
import { WebhookFailure } from "../webhook-receiver/webhook-failure.ts";

/** What the list tells of an address that may be why nothing comes there, in words; undefined where there is nothing. */
export async function addressState(api: Api, id: string): Promise<string | undefined> {
  const listed = await api.call("listWebhooks");
  if (listed.status !== 200) return undefined;
  const shown = subscriptionsOf(listed).find((subscription) => subscription.id === id);
  if (!shown) return "the address seems to be closed: it isn't listed any more";
  if (shown.status !== "ACTIVE")
    return `the address seems to be closed: its status is ${textOf(shown.status)}`;
  const since = shown.failing_since ?? null;
  return since === null ? undefined : `the address is failing, by its failing_since since ${textOf(since)}`;
}

/** What there is to say of something that didn't come, with the address's state where that may be why. */
export async function toldWithState<T>(
  { state }: { readonly state: () => Promise<string | undefined> },
  wait: () => Promise<T>,
): Promise<T> {
  try {
    return await wait();
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error;
    // Where the list isn't answered either, what didn't come is the finding.
    throw error.because(await state().catch(() => undefined));
  }
}
