import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Mutants } from "../mutant.ts";
import { replaceOperation } from "../operators/operations.ts";
import { alterAttemptRequests, alterWebhookRecords } from "../operators/webhooks.ts";

/** Changes the secrets of an integrator's endpoints, except one, without returning the new secrets. */
async function changeSecrets(deps: Dependencies, integratorId: string, except = ""): Promise<void> {
  const webhooks = await deps.records.webhooks.list(deps.database, integratorId);
  await deps.transaction(async (tx) => {
    for (const { id } of webhooks.filter((webhook) => webhook.id !== except)) {
      const secret = deps.secretEncryption.encrypt(deps.ids.webhookSecret(), id);
      await deps.records.webhooks.setSecret(tx, id, secret);
    }
  });
}

export const secretMutants: Mutants = {
  "one-secret-for-all-endpoints": {
    fault: "the events of all endpoints are signed with the first endpoint's secret",
    breaks: [{ clause: "SIGN-6", case: "the second" }],
    caughtBy: ["signatures.own-secrets"],
    mutate: alterAttemptRequests(({ headers }) => {
      const secrets = new Map<string, string>();
      return {
        headers(deps, dispatch, secret, now) {
          const first = secrets.get(dispatch.integrator_id) ?? secret;
          secrets.set(dispatch.integrator_id, first);
          return headers(deps, dispatch, first, now);
        },
      };
    }),
  },
  "secret-found-by-the-url": {
    fault: "events are signed with the secret that was first used for their url, by any integrator",
    breaks: [{ clause: "SIGN-6" }],
    caughtBy: ["envelope.of-another"],
    mutate: alterAttemptRequests(({ headers }) => {
      const secrets = new Map<string, string>();
      return {
        headers(deps, dispatch, secret, now) {
          const first = secrets.get(dispatch.url) ?? secret;
          secrets.set(dispatch.url, first);
          return headers(deps, dispatch, first, now);
        },
      };
    }),
  },
  "all-secrets-sign-for-each-endpoint": {
    fault: "each event is signed with the secrets of all of the integrator's endpoints",
    breaks: [{ clause: "SIGN-6" }],
    caughtBy: ["signatures.own-secrets"],
    mutate: (deps) => {
      const secrets = new Map<string, Set<string>>();
      const withRememberedSecrets = alterWebhookRecords(({ put }) => ({
        async put(tx, webhook) {
          const known = secrets.get(webhook.integrator_id) ?? new Set();
          secrets.set(
            webhook.integrator_id,
            known.add(deps.secretEncryption.decrypt(webhook.secret, webhook.id)),
          );
          await put(tx, webhook);
        },
      }))(deps);
      return alterAttemptRequests(({ headers }) => ({
        headers(current, dispatch, secret, now) {
          const signingSecrets = [...(secrets.get(dispatch.integrator_id) ?? [secret])];
          const signed = signingSecrets.map((key) => headers(current, dispatch, key, now));
          const signature = signed.map((header) => header["webhook-signature"]).join(" ");
          return { ...headers(current, dispatch, secret, now), "webhook-signature": signature };
        },
      }))(withRememberedSecrets);
    },
  },
  "listing-deletes-the-secrets": {
    fault: "listing the subscriptions deletes their stored secrets",
    breaks: [{ clause: "SIGN-6" }],
    caughtBy: ["signatures.kept-secret"],
    mutate: replaceOperation("listWebhooks", async (call, original, deps) => {
      const answer = await original(call);
      await changeSecrets(deps, call.integrator.id);
      return answer;
    }),
  },
  "rotation-changes-every-secret": {
    fault: "a rotation changes the secrets of all endpoints, and returns only one",
    breaks: [{ clause: "SIGN-6", case: "rotating another endpoint's secret" }],
    caughtBy: ["signatures.kept-secret"],
    mutate: replaceOperation("rotateWebhookSecret", async (call, original, deps) => {
      const answer = await original(call);
      await changeSecrets(deps, call.integrator.id, call.path.id);
      return answer;
    }),
  },
  "deletion-changes-the-remaining-secrets": {
    fault: "deleting a subscription changes the secrets of the others",
    breaks: [
      { clause: "SIGN-6", case: "deleting another endpoint" },
      { clause: "SIGN-6", case: "rotating another endpoint's secret" },
    ],
    caughtBy: ["signatures.kept-secret"],
    mutate: replaceOperation("deleteWebhook", async (call, original, deps) => {
      const answer = await original(call);
      await changeSecrets(deps, call.integrator.id);
      return answer;
    }),
  },
};
