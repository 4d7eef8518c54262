import { monotonicNow, pause } from "../../core/clock.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { pathSegment } from "../../core/http/path-segment.ts";
import { type Capabilities, NEEDS_OWN_INTEGRATOR } from "../capabilities.ts";
import { type Check, type FullContext, usesIntegratorAlone } from "../check.ts";
import { missingPrerequisite } from "../schedule/prerequisites.ts";
import { isLong } from "../schedule/time-limit.ts";
import type { Api } from "../session/http/api.ts";
import { PendingRequests } from "../session/http/pending-requests.ts";
import { deleteUncertainWebhooks } from "../session/identities/cleanup.ts";
import type { Identity } from "../session/identities/identity.ts";
import type { IdentityNeeds } from "../session/identities/identity-pool.ts";
import type { Integrator } from "../session/integrator.ts";
import type { Session } from "../session/session.ts";
import { expectLinkedStore, linkLookAlike, linkStore } from "../session/stores/stores.ts";
import { baseContext } from "./base.ts";
import { courierContext } from "./courier.ts";
import {
  type ContextDependencies,
  controlFor,
  noteControl,
  type OwnEndpoint,
  type Recorder,
} from "./dependencies.ts";
import { webhookContext } from "./webhooks.ts";

/** Advances the integrator's clock, or waits if it can't be advanced. */
function clockContext(deps: ContextDependencies): Capabilities["clock"] {
  const { session, identity, recorder, isConfirmation } = deps;
  return {
    advanceClock: async (seconds, { attemptsTimeOut = false } = {}) => {
      if (!session.canAdvanceClock) return pause(seconds * 1000);
      await session.expectClockAdvances();
      const { client_id } = identity.credentials;
      const path = `/integrators/${pathSegment(client_id)}/clock/advance`;
      const control = controlFor(deps, "clock");
      const advance = control.clockAdvanceBody(seconds, { attemptsTimeOut, isPatient: isConfirmation });
      const { attempt_wait_ms: waitMs } = advance;
      // A slow webhook may arrive only after the clock's wait.
      if (attemptsTimeOut && !isConfirmation && waitMs !== undefined)
        recorder.disturbed(
          "attempt-lost",
          `delivery attempts that stay unanswered on purpose had ${waitMs / 1000} s to arrive`,
        );
      noteControl(deps, { method: "POST", path, body: advance });
      const before = monotonicNow();
      identity.clock.isMoving = true;
      try {
        const shows = await control.advanceClock(client_id, advance, identity.now());
        identity.clock.wasMoved({ byMs: seconds * 1000, tookMs: monotonicNow() - before, shows });
      } catch (error) {
        // The advance may have happened, and the token may be expired. A second try needs another integrator.
        identity.discardToken();
        identity.isRetired = true;
        throw error;
      } finally {
        identity.clock.isMoving = false;
      }
    },
  };
}

type StoreCapabilities = Capabilities["pairing"] &
  Capabilities["company-codes"] &
  Capabilities["store-settings"];

/** Pairing codes, linked stores, and the courier company's settings for them. */
function storeContext(deps: ContextDependencies, api: Api): StoreCapabilities {
  const { session, identity } = deps;
  const { codes } = session;
  const { point } = session.settings;
  return {
    pairingCode: () => codes.next(),
    expectLinkedStore: (response, note) => expectLinkedStore(response, codes, note),
    linkStore: (overrides) => linkStore(api, codes, point, overrides),
    anotherStore: async () =>
      codes.areUnlimited
        ? linkLookAlike(api, codes, point, await session.stores.of(identity))
        : session.stores.another(identity),
    companyPairingCode: async ({ company, ...rest }) => {
      controlFor(deps, "company-codes");
      return codes.next({ ...rest, ...(company !== undefined && { courier_company: company }) });
    },
    configureStore: (storeId, settings) => {
      noteControl(deps, { method: "PATCH", path: `/stores/${pathSegment(storeId)}`, body: settings });
      return controlFor(deps, "store-settings").configureStore(storeId, settings);
    },
  };
}

type CredentialCapabilities = Capabilities["other-credential"] &
  Capabilities["credit"] &
  Capabilities["close"];

/** Actions of the control interface on the integrator's credential, and a credential of another kind. */
function credentialContext(
  deps: ContextDependencies,
  { performCourierActionsUpTo }: Capabilities["courier"],
): CredentialCapabilities {
  const { session, identity, recorder } = deps;
  const { client_id } = identity.credentials;
  return {
    otherToken: async () => {
      const credentials = await controlFor(deps, "other-credential").createIntegrator("other");
      const response = await identity.anonymous(recorder.exchange).call("obtainToken", {
        body: { grant_type: "client_credentials", ...credentials },
      });
      const { access_token } = response.body(200);
      session.redact.learn(access_token);
      return access_token;
    },
    creditConsumed: () => controlFor(deps, "credit").readCredit(client_id),
    deliverIfPossible: async (deliveryId) => {
      if (missingPrerequisite(session, "courier") === undefined)
        await performCourierActionsUpTo(deliveryId, "delivered");
    },
    closeIntegrator: async () => {
      identity.isRetired = true;
      const path = `/integrators/${pathSegment(client_id)}/close`;
      noteControl(deps, { method: "POST", path });
      await controlFor(deps, "close").closeIntegrator(client_id);
    },
  };
}

/** Operations that an integrator can call at the API. */
const integratorOf = (
  { session, recorder, secondIdentity, urgency, pendingRequests }: ContextDependencies,
  identity: Identity,
): Integrator => ({
  api: identity.api(recorder.exchange).with({
    urgency,
    pendingRequests,
    beforeSending: (operation) => recorder.lists.beforeSending(operation),
    ...(identity === secondIdentity && { sender: "the other integrator" }),
  }),
  credentials: identity.credentials,
  store: () => session.stores.of(identity),
  now: () => identity.now(),
});

/** A check's access to the target while it runs. */
interface OpenContext {
  readonly context: FullContext;
  /** The integrators of the check's requests, the check's own integrator first. */
  readonly integrators: readonly Identity[];
  /**
   * Called if the check has found no failure.
   * @throws CheckSkipped if the tested situation didn't occur
   */
  confirm(): Promise<void>;
  /** Releases the integrators after deleting the check's subscriptions. */
  close(): Promise<void>;
}

/** True for a check of tokens, which needs tokens of the token endpoint. */
const isOfTokens = ({ clauses }: Check): boolean => clauses.some((id) => id.startsWith("AUTH-"));

/** True if the check's effects on its integrator would affect other checks. */
const needsOwnIntegrator = ({ needs }: Check): boolean =>
  needs.some((one) => NEEDS_OWN_INTEGRATOR.includes(one));

/**
 * Deletes the integrator's endpoints among those of a check. If it has several, a new integrator replaces it instead,
 * which costs one request: the registration of a store.
 */
async function endEndpoints(
  identity: Identity,
  endpoints: readonly OwnEndpoint[],
  isReplaceable: boolean,
): Promise<void> {
  const left = endpoints.filter(({ id }) => identity.created.webhooks.has(id));
  if (isReplaceable && left.length > 1) identity.isRetired = true;
  if (isReplaceable && identity.isRetired) return;
  // Ignores errors: a closed integrator or a stopped target can't be cleaned up.
  await Promise.allSettled(
    left.map(({ api, id }) =>
      api.with({ record: () => {}, pendingRequests: undefined }).call("deleteWebhook", { path: { id } }),
    ),
  );
}

/**
 * Takes integrators for a check, and provides its capabilities.
 * @param isConfirmation true if the check runs again, with unused integrators if the target can create them
 */
export async function openContext(
  check: Check,
  session: Session,
  seed: number,
  recorder: Recorder,
  isConfirmation = false,
): Promise<OpenContext> {
  const count = check.needs.includes("second-integrator") ? 2 : 1;
  const usesTokenEndpoint = isOfTokens(check) && !needsOwnIntegrator(check);
  const needs: IdentityNeeds = {
    check: check.id,
    alone: usesIntegratorAlone(check),
    exhaustsRateLimit: check.exhaustsRateLimit,
    usesTokenEndpoint,
    isFresh: isConfirmation,
  };
  const grants = await session.identities.acquire(count, needs);
  const [identity, secondIdentity] = grants.map((grant) => grant.identity);
  if (!identity) throw new CheckSkipped("no credentials are configured");
  if (isConfirmation) await Promise.all(grants.map((grant) => session.stores.linkEarlier(grant.identity)));
  if (isOfTokens(check)) for (const grant of grants) grant.identity.useTokenEndpoint();
  // After an outage, requests of a check may be repeated although the check has ended.
  await Promise.allSettled(grants.map((grant) => deleteUncertainWebhooks(grant.identity)));
  const endpoints: OwnEndpoint[] = [];
  const confirmations: (() => Promise<void>)[] = [];
  const confirmLater = (confirm: () => Promise<void>) => void confirmations.push(confirm);
  const pendingRequests = new PendingRequests();
  const deleteLater = (endpoint: OwnEndpoint) => void endpoints.push(endpoint);
  const isReplaceable =
    needs.alone && !usesTokenEndpoint && check.exhaustsRateLimit === undefined && session.replacesIntegrators;
  return {
    integrators: grants.map((grant) => grant.identity),
    context: contextOf({
      session,
      identity,
      secondIdentity,
      seed,
      isConfirmation,
      urgency: isLong(check) ? "first" : "in turn",
      recorder,
      confirmLater,
      deleteLater,
      pendingRequests,
    }),
    confirm: async () => {
      for (const confirm of confirmations) await confirm();
    },
    close: async () => {
      await pendingRequests.end();
      for (const { identity: one } of grants) await endEndpoints(one, endpoints, isReplaceable);
      await Promise.allSettled(grants.map(({ identity: one }) => deleteUncertainWebhooks(one)));
      for (const grant of grants) grant.release();
    },
  };
}

function contextOf(deps: ContextDependencies): FullContext {
  const { identity, secondIdentity } = deps;
  const self = integratorOf(deps, identity);
  const courier = courierContext(deps, self.api);
  return {
    ...baseContext(deps, self),
    ...webhookContext(deps, self),
    ...storeContext(deps, self.api),
    ...credentialContext(deps, courier),
    ...courier,
    ...clockContext(deps),
    get other() {
      if (!secondIdentity) throw new CheckSkipped("a second pair of credentials is needed");
      return integratorOf(deps, secondIdentity);
    },
  };
}
