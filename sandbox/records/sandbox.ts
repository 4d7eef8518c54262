import type { Database, Queryable, SandboxTable, Tx } from "../../reference-server/database/schema.ts";
import { type Delivery, statuses } from "../../reference-server/domain/model.ts";
import { type Point, pointOf } from "../../reference-server/domain/places.ts";

/** An integrator with the sandbox's data. Times are real time. */
export interface SandboxIntegrator {
  id: string;
  client_id: string;
  kind: "integrator" | "other";
  closed_at: number | null;
  clock_offset_ms: number;
  clock_frozen_at: number | null;
  created_at: number;
  name: string | null;
  simulated: boolean;
  deliveries: number;
  credit: number;
}

/** A pairing code without its text, which is only returned on creation. */
interface IssuedPairingCode {
  company: string;
  restaurant: string | null;
  issued_at: number;
  expires_in_ms: number | null;
  used_at: number | null;
}

/** A courier's position, with the time on the integrator's clock. */
interface CourierPosition extends Point {
  at: number;
}

/** An entry of a delivery's history. */
interface DeliveryEvent {
  id: string;
  type: string;
  version: number | null;
  occurred_at: number;
}

/** States that a courier or the search for a courier may still change. */
const openStatuses = statuses.filter(
  (status) => !["RECEIVED", "DELIVERED", "FAILED", "CANCELLED", "RETURNED"].includes(status),
);

/** The number of integrators that the console lists. */
const mostIntegrators = 200;

export const sandboxRecords = {
  async put(db: Queryable, row: SandboxTable): Promise<void> {
    const { integrator_id, ...rest } = row;
    await db
      .insertInto("sandbox")
      .values(row)
      .onConflict((oc) => oc.column("integrator_id").doUpdateSet(rest))
      .execute();
  },

  async find(db: Queryable, integratorId: string): Promise<SandboxTable | undefined> {
    return db.selectFrom("sandbox").selectAll().where("integrator_id", "=", integratorId).executeTakeFirst();
  },

  async isSimulated(db: Queryable, integratorId: string): Promise<boolean> {
    return (await sandboxRecords.find(db, integratorId))?.simulated === 1;
  },

  /** Open deliveries of integrators with simulated couriers, oldest first. */
  async openDeliveries(db: Database, integratorId?: string): Promise<{ id: string; version: number }[]> {
    let select = db
      .selectFrom("deliveries as d")
      .innerJoin("sandbox as s", "s.integrator_id", "d.integrator_id")
      .select(["d.id", "d.version"])
      .where("s.simulated", "=", 1)
      .where("d.status", "in", openStatuses)
      .orderBy("d.created_at")
      .orderBy("d.change_number");
    if (integratorId !== undefined) select = select.where("d.integrator_id", "=", integratorId);
    return select.execute();
  },

  async countIntegrators(db: Database): Promise<number> {
    const { count } = await db
      .selectFrom("integrators")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return Number(count);
  },

  /** The newest integrators, up to {@link mostIntegrators}. */
  async integrators(db: Database): Promise<SandboxIntegrator[]> {
    const rows = await db
      .selectFrom("integrators as i")
      .innerJoin("ledgers as l", "l.integrator_id", "i.id")
      .leftJoin("sandbox as s", "s.integrator_id", "i.id")
      .select(["i.id", "i.client_id", "i.kind", "i.closed_at", "i.clock_offset_ms", "i.clock_frozen_at"])
      .select(["i.created_at", "l.credit", "s.name", "s.simulated"])
      .select((eb) =>
        eb
          .selectFrom("deliveries as d")
          .select((count) => count.fn.countAll<number>().as("count"))
          .whereRef("d.integrator_id", "=", "i.id")
          .as("deliveries"),
      )
      .orderBy("i.created_at", "desc")
      .orderBy("i.id")
      .limit(mostIntegrators)
      .execute();
    return rows.map((row) => ({ ...row, simulated: row.simulated === 1, deliveries: row.deliveries ?? 0 }));
  },

  /** The latest issued codes. */
  async pairingCodes(db: Database): Promise<IssuedPairingCode[]> {
    return db
      .selectFrom("pairing_codes as p")
      .innerJoin("companies as c", "c.id", "p.company_id")
      .innerJoin("restaurants as r", "r.id", "p.restaurant_id")
      .select(["c.name as company", "r.name as restaurant", "p.issued_at", "p.expires_in_ms", "p.used_at"])
      .orderBy("p.issued_at", "desc")
      .orderBy("p.code_hash")
      .limit(50)
      .execute();
  },

  async keepPosition(tx: Tx, { id, version, courier }: Delivery): Promise<void> {
    const point = courier && pointOf(courier);
    if (courier === null || point === null || courier.location_at === null) return;
    await tx
      .insertInto("positions")
      .values({ delivery_id: id, version, at: courier.location_at, place: JSON.stringify(point) })
      .onConflict((oc) => oc.doNothing())
      .execute();
  },

  async positions(db: Database, deliveryId: string): Promise<CourierPosition[]> {
    const rows = await db
      .selectFrom("positions")
      .select(["at", "place"])
      .where("delivery_id", "=", deliveryId)
      .orderBy("version")
      .execute();
    return rows.map(({ at, place }) => {
      const point: Point = JSON.parse(place);
      return { ...point, at };
    });
  },

  /** The delivery's history in order. */
  async history(db: Database, { id, integrator_id, created_at }: Delivery): Promise<DeliveryEvent[]> {
    return db
      .selectFrom("events")
      .select(["id", "type", "version", "occurred_at"])
      .where("integrator_id", "=", integrator_id)
      .where("occurred_at", ">=", created_at)
      .where("delivery_id", "=", id)
      .orderBy("occurred_at")
      .orderBy("version")
      .orderBy("type")
      .execute();
  },
};
