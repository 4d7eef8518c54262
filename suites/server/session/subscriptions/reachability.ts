import type { ControlClient } from "../../../core/control.ts";
import { isFinding } from "../../../core/grading/failures/explain-failure.ts";
import { CheckFailure, CheckSkipped, type NoResponse } from "../../../core/grading/failures/failure.ts";
import { textOf } from "../../../core/json.ts";
import type { Api } from "../http/api.ts";
import { setUp } from "../set-up.ts";
import type { AnswerWatchOptions } from "../webhook-receiver/answer-watch.ts";
import { type ReceiverSettings, WebhookReceiver } from "../webhook-receiver/receiver.ts";

/** The time limit in milliseconds for the event that shows that webhooks arrive. */
const PROBE_MS = 15_000;

/**
 * The suite's receiver, and a test whether the target reaches the receiver. The test runs before the checks, so
 * that a firewall causes one message instead of many failures.
 */
export class WebhookReachability {
  readonly receiver: WebhookReceiver | undefined;
  /** Why webhooks don't arrive, in one line. Undefined if they arrive. */
  readonly problem: string | undefined;
  /** The target's wrong or missing response, if it prevented the test. */
  readonly failure: CheckFailure | NoResponse | undefined;

  private constructor(
    receiver: WebhookReceiver | undefined,
    problem: string | undefined,
    failure?: CheckFailure | NoResponse,
  ) {
    this.receiver = receiver;
    this.problem = problem;
    this.failure = failure;
  }

  /**
   * @param onExcess called if the target sends more webhooks than a run can cause
   * @param watch called for delivery attempts that ended while the suite's response was overdue
   */
  static async open(
    settings: ReceiverSettings,
    control: ControlClient | undefined,
    api: () => Promise<Api>,
    onExcess: (excess: string) => void,
    watch: AnswerWatchOptions,
  ): Promise<WebhookReachability> {
    let receiver: WebhookReceiver;
    try {
      receiver = await WebhookReceiver.open(settings, { onExcess, watch });
    } catch (error) {
      const why = error instanceof Error ? error.message : textOf(error);
      return new WebhookReachability(
        undefined,
        `the webhook receiver can't listen on ${settings.bind} (${why}): set receiver.bind`,
      );
    }
    try {
      if (control?.offers("trustReceiver")) await control.trustReceiver(receiver.origin, receiver.caPem);
      return new WebhookReachability(receiver, await setUp(await api(), (asked) => probe(receiver, asked)));
    } catch (error) {
      if (error instanceof CheckSkipped) return new WebhookReachability(receiver, error.message);
      if (!isFinding(error)) throw error;
      const problem = `couldn't test whether webhooks arrive: ${error.message}`;
      return new WebhookReachability(receiver, problem, error);
    }
  }

  /** A new URL that the target reaches. Undefined if the target doesn't reach the receiver. */
  newWebhookUrl(): string | undefined {
    return this.problem === undefined ? this.receiver?.inbox().url : undefined;
  }

  async close(): Promise<void> {
    await this.receiver?.close();
  }
}

/**
 * Why webhooks don't arrive. Undefined if they arrive.
 * @throws CheckFailure if no webhook can be requested
 */
async function probe(receiver: WebhookReceiver, api: Api): Promise<string | undefined> {
  const inbox = receiver.inbox();
  const created = await api.call("createWebhook", { body: { url: inbox.url } });
  if (created.status === 400) return unreachable(receiver, "its URL was refused");
  const { id } = created.body(201);
  try {
    (await api.call("testWebhook", { path: { id } })).expectSuccess();
    await inbox.waitForFirst(() => true, "a test event", PROBE_MS);
    return undefined;
  } catch (error) {
    if (!(error instanceof CheckFailure) || inbox.attempts.length > 0 || isAbsent(error)) throw error;
    return unreachable(receiver, error.message);
  } finally {
    await api.call("deleteWebhook", { path: { id } });
  }
}

/** True if the operation is missing, which says nothing about reachability. */
const isAbsent = ({ exchange }: CheckFailure): boolean =>
  [404, 405, 501].includes(exchange?.response?.status ?? 0);

const unreachable = ({ baseUrl }: WebhookReceiver, why: string) =>
  `webhooks don't reach the suite's receiver at ${baseUrl} (${why}): the target must be able to connect to it and trust its certificate; set receiver.bind and receiver.public_url, or implement trustReceiver`;
