import { pathSegment } from "../../core/http/path-segment.ts";
import type { Capabilities } from "../capabilities.ts";
import type { Api } from "../session/http/api.ts";
import { expectLinkedStore, linkLookAlike, linkStore } from "../session/stores/stores.ts";
import { type ContextDependencies, controlFor, noteControl } from "./dependencies.ts";

type StoreCapabilities = Capabilities["pairing"] &
  Capabilities["company-codes"] &
  Capabilities["store-settings"];

/** Pairing codes, linked stores, and the courier company's settings for them. */
export function storeContext(deps: ContextDependencies, api: Api): StoreCapabilities {
  const { session, identity } = deps;
  const { codes } = session;
  const { point } = session.settings;
  return {
    pairingCode: () => codes.next(),
    expectLinkedStore: (response) => expectLinkedStore(response, codes),
    linkStore: (overrides) => linkStore(api, codes, point, overrides),
    anotherStore: async () =>
      codes.areUnlimited
        ? linkLookAlike(api, codes, point, await session.storeOf(identity))
        : session.anotherStoreOf(identity),
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
