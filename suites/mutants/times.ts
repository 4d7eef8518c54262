import { isObject } from "../../reference-server/documents.ts";
import { DomainError, rejected } from "../../reference-server/errors.ts";
import { withDocument } from "./documents.ts";
import { creation, ordering, property, together } from "./faults.ts";
import type { Mutant } from "./mutant.ts";

const ZONE = /(Z|[+-]\d\d:\d\d)$/;
const anyText = { $ref: undefined, type: ["string", "null"] };

const hasNoZone = (time: string | null | undefined) => typeof time === "string" && !ZONE.test(time);

/** The server that takes the time at which a package is ready for another one. */
const readyAt = (read: (time: string) => string): Mutant["mutate"] =>
  ordering(({ ready_at }) => (ready_at === undefined ? {} : { ready_at: read(ready_at) }));

/** The server that takes any text for a time in a query parameter of the list. */
const anyTextIn = (parameter: string): Mutant["mutate"] =>
  withDocument(({ paths }) => {
    const list = paths["/v1/deliveries"]?.get;
    const parameters: unknown[] = isObject(list) && Array.isArray(list.parameters) ? list.parameters : [];
    const found = parameters.filter(isObject).find((one) => one.name === parameter);
    if (!found) throw new Error(`the document has no parameter ${parameter}`);
    found.schema = { type: "string" };
  });

export const timeMutants = {
  "offset-is-dropped": {
    fault: "a time's offset is dropped, as if it were UTC",
    mutate: readyAt((time) => time.replace(ZONE, "Z")),
  },
  "z-is-local-time": {
    fault: "a time in UTC is taken for Turkish time",
    mutate: readyAt((time) => time.replace(/Z$/, "+03:00")),
  },
  "half-hours-of-an-offset-dropped": {
    fault: "of a time's offset only the hours count",
    mutate: readyAt((time) => time.replace(/([+-]\d\d):\d\d$/, "$1:00")),
  },
  "order-time-without-zone-taken": {
    fault: "a time without a zone in an order is taken for UTC",
    mutate: together(
      property("NewDelivery", "ready_at", anyText),
      property("NewDelivery", "scheduled_for", anyText),
    ),
  },
  "change-time-without-zone-taken": {
    fault: "a time without a zone in a change is taken for UTC",
    mutate: property("DeliveryChange", "ready_at", anyText),
  },
  "order-refused-but-kept": {
    fault: "an order with a time without a zone is refused after it was written",
    mutate: together(
      property("NewDelivery", "ready_at", anyText),
      creation(async (call, create) => {
        const reply = await create(call);
        if (hasNoZone(call.body.ready_at)) throw rejected("ready_at", "saat dilimi yok");
        return reply;
      }),
    ),
  },
  "created-from-without-zone-taken": {
    fault: "created_from is taken without a zone",
    mutate: anyTextIn("created_from"),
  },
  "from-without-zone-taken": {
    fault: "from is taken without a zone",
    mutate: anyTextIn("from"),
  },
  "time-without-zone-answers-422": {
    fault: "a time without a zone is refused with 422, like an address outside the area",
    mutate: together(
      property("NewDelivery", "ready_at", anyText),
      creation(async (call, create) => {
        if (hasNoZone(call.body.ready_at)) throw new DomainError("HIZMET_DISI");
        return create(call);
      }),
    ),
  },
} satisfies Record<string, Mutant>;
