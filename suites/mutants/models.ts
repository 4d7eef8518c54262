import { found, overwrite } from "./delivery-faults.ts";
import { answer, instead, refusedWith } from "./instead.ts";
import { ALL } from "./list-faults.ts";
import type { Mutant } from "./mutant.ts";

/** Faults that only some sequences of requests bring to light. */
export const modelsMutants = {
  "version-stops-at-three": {
    fault: "version counts up to three and no further",
    mutate: (parts) => ({
      ...parts,
      revise: (before, change, stamp, kind) => {
        const after = parts.revise(before, change, stamp, kind);
        return { ...after, version: Math.min(after.version, 3) };
      },
    }),
  },
  "changed-delivery-is-cancelled-twice": {
    fault: "a second cancellation is taken where the delivery was changed before the first",
    mutate: instead("cancelDelivery", (call, original) =>
      refusedWith("SON_DURUM", original(call), async (refusal) => {
        const delivery = await found(call);
        if (!delivery || delivery.version < 3) throw refusal;
        return answer(200, call.parts.views.delivery(call.parts, delivery));
      }),
    ),
  },
  "refused-change-touches-another-delivery": {
    fault: "notes for a delivery that is final are written to the integrator's latest other one",
    mutate: instead("updateDelivery", (call, original) =>
      refusedWith("SON_DURUM", original(call), async (refusal) => {
        const { parts, integrator, path, body } = call;
        const rows = await parts.records.deliveries.page(parts.database, integrator.id, { rows: ALL });
        const other = rows.findLast(({ id }) => id !== path.id);
        if (other && body.notes !== undefined) await overwrite(call, other.id, { notes: body.notes });
        throw refusal;
      }),
    ),
  },
} satisfies Record<string, Mutant>;
