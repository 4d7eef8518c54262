import { WebhookFailure } from "../webhook-receiver/webhook-failure.ts";

/** Adds the endpoint's state to the failure of a missing event, if it may be the cause. */
export async function withEndpointState<T>(
  { state }: { readonly state: () => Promise<string | undefined> },
  wait: () => Promise<T>,
): Promise<T> {
  try {
    return await wait();
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error;
    // If reading the endpoint's state fails too, only the missing event is reported.
    throw error.because(await state().catch(() => undefined));
  }
}
