import { pause, stopwatch } from "../core/clock.ts";
import { COURIERS_WAY, type Control, type CourierMove } from "../core/control.ts";
import type { Schemas } from "../core/document.ts";
import type { Exchange } from "../core/exchange.ts";
import { NotTestable } from "../core/failure.ts";
import { runProperty } from "../core/property.ts";
import { type Capability, NEEDS_OWN_LANE } from "./capabilities.ts";
import type { Check, FullContext } from "./check.ts";
import { missingPrerequisite } from "./prerequisites.ts";
import type { Tries } from "./repro-script.ts";
import { Api } from "./session/api.ts";
import type { Lane } from "./session/identity.ts";
import type { Party } from "./session/party.ts";
import type { Session } from "./session/session.ts";
import { learnPaymentType, linkedStore, linkStore, type PaymentCode } from "./session/stores.ts";
import { publicWebhookUrl, subscribe } from "./session/subscribe.ts";
import { anOrder, type Ground } from "./support/orders.ts";

/** A check's hold on the target while it runs. */
export interface Stay {
  readonly context: FullContext;
  /** Gives the identities back, once what the check has subscribed is closed. */
  leave(): Promise<void>;
}

type Record = (exchange: Exchange) => void;

/** What a check tells of itself, whether it passes or not. */
export type Story = Pick<FullContext, "account" | "timeline"> & {
  /** What is done in each try of a property. */
  readonly tries: Tries;
};

const isAlone = (check: Check) =>
  check.alone !== "no" || check.needs.some((capability) => NEEDS_OWN_LANE.includes(capability));

/** Lets a check in: takes identities for it, and gives it what it needs of the target. */
export async function enter(
  check: Check,
  session: Session,
  seed: number,
  record: Record,
  story: Story,
): Promise<Stay> {
  const count = check.needs.includes("second-integrator") ? 2 : 1;
  const grants = await session.lanes.take(count, isAlone(check));
  const [first, second] = grants.map(({ lane }) => lane);
  if (!first) throw new NotTestable("no credentials are configured");
  const cleanUp: (() => Promise<unknown>)[] = [];
  return {
    context: contextOf({ session, lane: first, second, seed, record, story, cleanUp }),
    leave: async () => {
      // What can't be cleaned up any more (a closed identity, a dead target) is left behind.
      await Promise.allSettled(cleanUp.map((work) => work()));
      for (const grant of grants) grant.release();
    },
  };
}

function party(session: Session, lane: Lane, record: Record): Party {
  return {
    api: lane.api(record),
    credentials: lane.credentials,
    store: () => session.storeOf(lane),
    now: () => lane.now(),
  };
}

interface Basis {
  readonly session: Session;
  readonly lane: Lane;
  readonly second: Lane | undefined;
  readonly seed: number;
  readonly record: Record;
  readonly story: Story;
  /** What is to be undone when the check ends. */
  readonly cleanUp: (() => Promise<unknown>)[];
}

function contextOf({ session, lane, second, seed, record, story, cleanUp }: Basis): FullContext {
  const { point } = session.settings;
  const { account, timeline, tries } = story;
  const self = party(session, lane, record);
  const ground = async (paymentType: PaymentCode): Promise<Ground> => ({
    externalStoreId: (await self.store()).external_store_id,
    paymentType,
    point,
  });
  const paymentType = () =>
    session.paymentType(() => learnPaymentType(self.api, async (code) => anOrder(await ground(code))));
  const control = (capability: Capability): Control => {
    const missing = missingPrerequisite(session, capability);
    if (session.control && missing === undefined) return session.control;
    throw new NotTestable(missing ?? `${capability} needs a control interface`);
  };
  const receiver = () => {
    if (session.reach?.receiver) return session.reach.receiver;
    throw new NotTestable(missingPrerequisite(session, "receiver") ?? "there is no webhook receiver");
  };
  const moveCourier = (deliveryId: string, move: CourierMove): Promise<boolean> => {
    const path = `/deliveries/${encodeURIComponent(deliveryId)}/courier`;
    tries.note({ control: { path, body: move } });
    return control("courier").actAsCourier(deliveryId, move);
  };
  const webhookUrl = () => session.reach?.newAddress() ?? publicWebhookUrl();
  const deletedAtTheEnd = (api: Api, id: string) => {
    cleanUp.push(() => api.with({ record: () => {} }).call("deleteWebhook", { path: { id } }));
  };
  const registerWebhook = async (wish?: Partial<Schemas["NewWebhook"]>) => {
    const answer = await self.api.call("createWebhook", { body: { url: webhookUrl(), ...wish } });
    if (answer.status === 201) {
      const { id, secret } = answer.body(201);
      session.redact.add(secret);
      deletedAtTheEnd(self.api, id);
    }
    return answer;
  };
  const obtainToken: FullContext["obtainToken"] = (anonymous = lane.anonymous(record), options) =>
    lane.obtainToken(anonymous, options);
  return {
    ...self,
    anonymous: lane.anonymous(record),
    freshAnonymous: () => {
      const address = session.addresses.fresh();
      const { transport, baseUrl } = self.api.sender;
      return {
        api: new Api({ transport, baseUrl, address: () => address, record }),
        idle: session.addresses.several,
      };
    },
    token: () => lane.token(),
    obtainToken,
    anotherToken: async () => (await obtainToken()).body(200).access_token,
    paymentType,
    order: async (overrides) => anOrder(await ground(await paymentType()), overrides),
    point,
    seed,
    property: (arbitrary, predicate, options) => {
      const traced: typeof predicate = async (input) => {
        tries.begin();
        try {
          await predicate(input);
        } catch (error) {
          tries.fail();
          throw error;
        }
      };
      return runProperty(arbitrary, traced, { seed, ...options });
    },
    account,
    timeline,
    spoilsIdentity: () => {
      lane.spent = true;
      if (second) second.spent = true;
    },
    code: () => session.codes.next(),
    linked: (answer) => linkedStore(answer, session.codes),
    linkStore: (overrides) => linkStore(self.api, session.codes, point, overrides),
    anotherStore: () =>
      session.codes.atWill ? linkStore(self.api, session.codes, point) : session.anotherStoreOf(lane),
    get other(): Party {
      if (!second) throw new NotTestable("a second pair of credentials is needed");
      return party(session, second, record);
    },
    companyCode: async ({ company, ...rest }) => {
      control("company-codes");
      return session.codes.next({ ...rest, ...(company !== undefined && { courier_company: company }) });
    },
    otherToken: async () => {
      const credentials = await control("other-credential").createIntegrator("other");
      const answer = await lane.anonymous(record).call("obtainToken", {
        body: { grant_type: "client_credentials", ...credentials },
      });
      const { access_token } = answer.body(200);
      session.redact.add(access_token);
      return access_token;
    },
    configureStore: (storeId, settings) => control("store-settings").configureStore(storeId, settings),
    creditConsumed: () => control("credit").readCredit(lane.credentials.client_id),
    closeIntegrator: async () => {
      lane.spent = true;
      await control("close").closeIntegrator(lane.credentials.client_id);
    },
    webhookUrl,
    registerWebhook: async (wish) => {
      const answer = await registerWebhook(wish);
      const nameOnly = session.reach?.newAddress() === undefined;
      if (nameOnly && answer.status === 400 && (await registerWebhook()).status === 400) {
        throw new NotTestable(
          "the target takes no address that it can't reach: a webhook receiver is needed",
        );
      }
      return answer;
    },
    subscribe: async (wish = {}) => {
      const api = (wish.party ?? self).api;
      const subscription = await subscribe(receiver(), api, session.redact, wish);
      deletedAtTheEnd(api, subscription.id);
      return subscription;
    },
    inbox: () => receiver().inbox(),
    move: (deliveryId, action, details) => moveCourier(deliveryId, { action, ...details }),
    bring: async (deliveryId, upTo) => {
      const steps: readonly string[] = COURIERS_WAY;
      const way = COURIERS_WAY.slice(0, steps.indexOf(upTo) + 1);
      if (way.length === 0) throw new Error(`${upTo} is no step of the way to the door`);
      for (const action of way) {
        if (await moveCourier(deliveryId, { action })) continue;
        throw new NotTestable(`the control interface refused the courier's move ${action} (409)`);
      }
    },
    addProof: (deliveryId, photo) => control("proofs").addProof(deliveryId, photo),
    advance: async (seconds) => {
      if (!session.movesClock) return pause(seconds * 1000);
      const before = stopwatch();
      try {
        await control("clock").advanceClock(lane.credentials.client_id, seconds, lane.now());
      } catch (error) {
        // Nobody knows whether it was moved, and with it the token's end.
        lane.dropToken();
        throw error;
      }
      // While it is moved the clock doesn't run (control interface, "The clock").
      lane.hasAdvanced(seconds * 1000 - Math.round(stopwatch() - before));
    },
  };
}
