import { columns as columnsOf, prepared } from "../database/prepared.ts";
import type { ProofTable, Queryable, Tx } from "../database/schema.ts";
import { type ImageType, imageTypes, type Proof } from "../domain/model.ts";

const columns = ["id", "delivery_id", "ordinal", "mime", "size", "place", "created_at"] as const;

/** Only this file writes rows, so their JSON and type are valid. */
function fromRow({ place, mime, ...row }: Omit<ProofTable, "bytes">): Proof {
  const point: Pick<Proof, "lat" | "lng"> = JSON.parse(place);
  return { ...row, mime: imageTypeOf(mime), lat: point.lat, lng: point.lng };
}

function imageTypeOf(text: string): ImageType {
  const type = imageTypes.find((known) => known === text);
  if (type === undefined) throw new Error(`unknown photo type ${text}`);
  return type;
}

export const proofRecords = {
  async insert(tx: Tx, { lat, lng, ...proof }: Proof, bytes: Buffer): Promise<void> {
    const row = { ...proof, place: JSON.stringify({ lat, lng }), bytes: bytes.toString("base64") };
    await insertProof(tx, row);
  },

  /** Oldest first. */
  async list(db: Queryable, deliveryId: string): Promise<Proof[]> {
    const query = db.selectFrom("proofs").select(columns).where("delivery_id", "=", deliveryId);
    return (await query.orderBy("ordinal").execute()).map(fromRow);
  },

  /** A photo of this delivery. */
  async find(db: Queryable, deliveryId: string, id: string): Promise<[Proof, Buffer] | undefined> {
    const query = db.selectFrom("proofs").selectAll().where("id", "=", id);
    const row = await query.where("delivery_id", "=", deliveryId).executeTakeFirst();
    if (row === undefined) return undefined;
    const { bytes, ...rest } = row;
    return [fromRow(rest), Buffer.from(bytes, "base64")];
  },
};

const insertProof = prepared<ProofTable>()((db, p) =>
  db.insertInto("proofs").values(columnsOf(p, ...columns, "bytes")),
);
