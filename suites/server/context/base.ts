import { isAbsentStatus } from "../../core/grading/expectations/absent-operation.ts";
import { forEachCase } from "../../core/grading/expectations/each-element.ts";
import { runProperty } from "../../core/grading/expectations/property.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { BaseContext } from "../check.ts";
import { Api } from "../session/http/api.ts";
import type { Integrator } from "../session/integrator.ts";

import { setUp } from "../session/set-up.ts";
import { learnPaymentType, type PaymentCode } from "../session/stores/payment-type.ts";
import { newOrder, type OrderContext } from "../support/orders/orders.ts";
import type { ContextDependencies } from "./dependencies.ts";

/** The default wait for an effect. Only reached if the effect doesn't come. */
const EVENTUAL_TIMEOUT_MS = 120_000;

/** The part of a check's context that doesn't concern webhooks. */
export function baseContext(
  { session, identity, secondIdentity, seed, recorder }: ContextDependencies,
  self: Integrator,
): Omit<BaseContext, "webhookUrl" | "registerWebhook"> {
  const { note, attributeTo, recordCoverage, timeline, disturbed, exchange: record, tries } = recorder;
  const { point } = session.settings;
  const orderContext = async (code: PaymentCode): Promise<OrderContext> => ({
    externalStoreId: (await self.store()).external_store_id,
    paymentType: code,
    point,
  });
  const paymentType = async () => {
    // Creates the store first: all integrators share the payment type, but a failing store concerns only
    // this integrator.
    await self.store();
    return session.paymentType(() =>
      setUp(self.api, (api) => learnPaymentType(api, async (code) => newOrder(await orderContext(code)))),
    );
  };
  const obtainToken: BaseContext["obtainToken"] = (anonymous = identity.anonymous(record), options) =>
    identity.obtainToken(anonymous, options);
  // If the operation is missing, further cases fail in the same way after the same wait.
  const isOperationMissing = (error: Error) => {
    const exchange = error instanceof CheckFailure ? error.exchange : undefined;
    const status = exchange?.response?.status;
    if (exchange === undefined || status === undefined || exchange.violates !== undefined) return false;
    return isAbsentStatus(status) && session.operations.isMissing(exchange.operation);
  };
  return {
    ...self,
    anonymous: identity.anonymous(record),
    freshAnonymous: () => {
      const address = session.addresses.fresh();
      const { transport, baseUrl } = self.api.options;
      return {
        api: new Api({ transport, baseUrl, address: () => address, record }),
        idle: session.addresses.several,
      };
    },
    asEachClient: () =>
      session.addresses.asEachClient(identity.address).map((address) => ({
        name: `${address.connections.style.userAgent} (sent through ${address.connections.style.program})`,
        api: self.api.with({ address: () => address }),
        anonymous: identity.anonymous(record).with({ address: () => address }),
      })),
    token: () => identity.token(),
    obtainToken,
    anotherToken: () => identity.anotherToken(obtainToken),
    paymentType,
    order: async (overrides) => newOrder(await orderContext(await paymentType()), overrides),
    point,
    seed,
    eventualTimeoutMs: session.settings.eventualTimeoutMs ?? EVENTUAL_TIMEOUT_MS,
    property: (arbitrary, predicate, options) =>
      runProperty(arbitrary, predicate, { seed, ...options, onTry: tries }),
    each: async (group, examine, options) => {
      const reached = (name: string) => {
        recorder.beginCase(group);
        if (group.set) recorder.reached(group.set, name);
      };
      try {
        await forEachCase(group, examine, options, {
          reached,
          failed: recorder.failed,
          endsAll: isOperationMissing,
        });
      } finally {
        recorder.endCases(group);
      }
    },
    note,
    disturbed,
    attributeTo,
    recordCoverage,
    timeline,
    cleanUpIntegrator: () => session.cleanUpAhead(identity),
    retireIntegrator: () => {
      identity.isRetired = true;
      if (secondIdentity) secondIdentity.isRetired = true;
    },
  };
}
