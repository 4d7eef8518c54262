import type { Schemas } from "../../core/contract/document.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import type { Capabilities } from "../capabilities.ts";
import type { BaseContext } from "../check.ts";
import { missingPrerequisite } from "../schedule/prerequisites.ts";
import type { Integrator } from "../session/integrator.ts";
import { publicWebhookUrl, subscribe } from "../session/subscriptions/subscribe.ts";
import type { WebhookReceiver } from "../session/webhook-receiver/receiver.ts";
import type { ContextDependencies } from "./dependencies.ts";

/**
 * The suite's webhook receiver.
 * @throws CheckSkipped if the receiver wasn't started
 */
function receiverOf({ session }: ContextDependencies): WebhookReceiver {
  if (session.reachability?.receiver) return session.reachability.receiver;
  throw new CheckSkipped(missingPrerequisite(session, "receiver") ?? "there is no webhook receiver");
}

type WebhookContext = Pick<BaseContext, "webhookUrl" | "registerWebhook"> & Capabilities["receiver"];

/** Subscriptions to the suite's receiver or to unused URLs, until the check ends. */
export function webhookContext(deps: ContextDependencies, self: Integrator): WebhookContext {
  const { session, recorder, deleteLater } = deps;
  const webhookUrl = () => session.reachability?.newWebhookUrl() ?? publicWebhookUrl();
  const createWebhook = async (options?: Partial<Schemas["NewWebhook"]>) => {
    const response = await self.api.call("createWebhook", { body: { url: webhookUrl(), ...options } });
    if (response.hasContentOf(201)) {
      const { id, secret } = response.body(201);
      session.redact.learn(secret);
      deleteLater({ api: self.api, id });
    }
    return response;
  };
  return {
    webhookUrl,
    registerWebhook: async (options) => {
      const response = await createWebhook(options);
      const isUnusedUrl = session.reachability?.newWebhookUrl() === undefined;
      if (isUnusedUrl && response.status === 400 && (await createWebhook()).status === 400) {
        throw new CheckSkipped(
          "the target refuses endpoints that it can't reach: a webhook receiver is needed",
        );
      }
      return response;
    },
    subscribe: async (options = {}) => {
      const api = (options.integrator ?? self).api;
      const subscription = await subscribe(receiverOf(deps), api, session.redact, options);
      recorder.inbox(subscription.inbox);
      deleteLater({ api, id: subscription.id });
      return subscription;
    },
    inbox: () => {
      const inbox = receiverOf(deps).inbox();
      recorder.inbox(inbox);
      return inbox;
    },
  };
}
