import { runProperty } from "../../core/property.ts";
import type { BaseContext } from "../check.ts";
import { Api } from "../session/api.ts";
import type { Party } from "../session/party.ts";
import { SETTLES_WITHIN_MS } from "../session/settings.ts";
import { learnPaymentType, type PaymentCode } from "../session/stores.ts";
import { anOrder, type Ground } from "../support/orders.ts";
import type { ContextParts } from "./parts.ts";

/** What every check gets but webhooks: tokens, orders, properties, and what it tells of itself. */
export function baseContext(
  { session, identity, secondIdentity, seed, recorder }: ContextParts,
  self: Party,
): Omit<BaseContext, "webhookUrl" | "registerWebhook"> {
  const { account, timeline, exchange: record, tries } = recorder;
  const { point } = session.settings;
  const ground = async (paymentType: PaymentCode): Promise<Ground> => ({
    externalStoreId: (await self.store()).external_store_id,
    paymentType,
    point,
  });
  const paymentType = () =>
    session.paymentType(() => learnPaymentType(self.api, async (code) => anOrder(await ground(code))));
  const obtainToken: BaseContext["obtainToken"] = (anonymous = identity.anonymous(record), options) =>
    identity.obtainToken(anonymous, options);
  return {
    ...self,
    anonymous: identity.anonymous(record),
    freshAnonymous: () => {
      const address = session.addresses.fresh();
      const { transport, baseUrl } = self.api.sender;
      return {
        api: new Api({ transport, baseUrl, address: () => address, record }),
        idle: session.addresses.several,
      };
    },
    token: () => identity.token(),
    obtainToken,
    anotherToken: async () => (await obtainToken()).body(200).access_token,
    paymentType,
    order: async (overrides) => anOrder(await ground(await paymentType()), overrides),
    point,
    seed,
    settlesWithinMs: session.settings.settlesWithinMs ?? SETTLES_WITHIN_MS,
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
      identity.spent = true;
      if (secondIdentity) secondIdentity.spent = true;
    },
  };
}
