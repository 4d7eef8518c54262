/** Restaurants and their courier companies (specification, Stores). */

import type { Tx } from "../database/schema.ts";
import type { Store, StoreBody } from "../domain/model.ts";
import { pointOf } from "../domain/places.ts";
import { DomainError } from "../errors.ts";
import type { PairingCode } from "../records/pairing.ts";
import type { AuthenticatedOperation, Call } from "./operation.ts";

/**
 * The first call for an identifier links the restaurant by its pairing code; later calls update it without a
 * code.
 */
export const registerStore: AuthenticatedOperation<"registerStore"> = async (call) => {
  const { deps, integrator, body } = call;
  return deps.transaction(async (tx) => {
    // Serializes concurrent first registrations.
    await deps.records.changeSequence.takeNext(tx, integrator.id, call.now);
    const known = await deps.records.stores.find(tx, integrator.id, body.external_store_id);
    if (known !== undefined) {
      const store = { ...known, ...bodyOf(call), updated_at: call.now };
      await deps.records.stores.update(tx, store);
      return { status: 200, body: deps.views.store(store) };
    }
    const code = await redeem(call, tx);
    const store: Store = {
      ...bodyOf(call),
      id: deps.ids.uuid(),
      integrator_id: integrator.id,
      external_store_id: body.external_store_id,
      restaurant_id: code.restaurant_id,
      company: await deps.records.pairing.company(tx, code.company_id),
      status: "ACTIVE",
      created_at: call.now,
      updated_at: call.now,
      settings: deps.storeDefaults,
    };
    await deps.records.stores.insert(tx, store);
    return { status: 201, body: deps.views.store(store) };
  });
};

/** Redeems the request's pairing code and binds its restaurant. After a refusal the code is still unused. */
async function redeem({ deps, integrator, body, now }: Call<"registerStore">, tx: Tx): Promise<PairingCode> {
  if (!body.pairing_code) throw new DomainError("ESLEME_KODU_GEREKLI");
  const { pairing, clocks } = deps.records;
  const code = await pairing.findCode(tx, deps.credentials.hash(body.pairing_code));
  if (code === undefined) throw new DomainError("ESLEME_KODU_GECERSIZ");
  // The code isn't bound to an integrator, so its time of issue is in real time. Adding the offset that the
  // redeeming integrator's clock had at the issue converts it to that clock.
  const issuedAt = code.issued_at + (await clocks.offsetAfter(tx, integrator.id, code.advances_seen));
  const refusal = deps.pairing.refusal(code, now - issuedAt);
  if (refusal !== undefined) throw new DomainError(refusal);
  if (!(await pairing.bindRestaurant(tx, code.restaurant_id, integrator.id))) {
    throw new DomainError("BASKA_POS");
  }
  if (!(await pairing.useCode(tx, code.code_hash, now))) throw new DomainError("ESLEME_KODU_GECERSIZ");
  return code;
}

/** A point outside the country counts as missing, as for a drop-off. */
function bodyOf({ deps, body }: Call<"registerStore">): StoreBody {
  const point = pointOf(body.address);
  const usable = point !== null && deps.country.contains(point) ? point : null;
  return {
    name: body.name,
    phone: body.phone === undefined ? null : deps.phone.international(body.phone),
    address_text: body.address.text,
    lat: usable?.lat ?? null,
    lng: usable?.lng ?? null,
  };
}

export const listStores: AuthenticatedOperation<"listStores"> = async ({ deps, integrator }) => {
  const stores = await deps.records.stores.list(deps.database, integrator.id);
  return { status: 200, body: { items: stores.map(deps.views.store) } };
};

export const getStore: AuthenticatedOperation<"getStore"> = async ({ deps, integrator, path }) => {
  const store = await deps.records.stores.find(deps.database, integrator.id, path.external_store_id);
  if (store === undefined) throw new DomainError("BULUNAMADI");
  return { status: 200, body: deps.views.store(store) };
};
