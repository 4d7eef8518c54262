import type { Mutants, Mutate } from "../mutant.ts";
import { alterWebhookRecords } from "../operators/webhooks.ts";

/** Chooses an endpoint's events by other event types than it shows, if its url was registered before. */
const chooseEventsBy = (change: (first: readonly string[], current: readonly string[]) => string[]): Mutate =>
  alterWebhookRecords(({ put, active }) => {
    const firstOfUrl = new Map<string, readonly string[]>();
    const chosen = new Map<string, string[]>();
    return {
      async put(tx, webhook) {
        const first = firstOfUrl.get(webhook.url);
        if (first) chosen.set(webhook.id, change(first, webhook.event_types));
        else firstOfUrl.set(webhook.url, webhook.event_types);
        await put(tx, webhook);
      },
      active: async (tx, integratorId) =>
        (await active(tx, integratorId)).map(({ id, event_types }) => ({
          id,
          event_types: chosen.get(id) ?? event_types,
        })),
    };
  });

export const registeredAgainMutants: Mutants = {
  "url-registered-again-gets-the-events-of-its-first-registration": {
    fault:
      "event_types are kept by url: a url that is registered again gets the events of its first registration",
    breaks: [{ clause: "HOOK-41" }, { clause: "RETRY-30" }],
    mutate: chooseEventsBy((first) => [...first]),
  },
  "url-registered-again-gets-earlier-event-types-too": {
    fault: "a url that is registered again also gets the event types of its first registration",
    breaks: [{ clause: "HOOK-41" }, { clause: "RETRY-30" }],
    mutate: chooseEventsBy((first, current) => [...first, ...current]),
  },
};
