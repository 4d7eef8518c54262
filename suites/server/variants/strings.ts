import { randomBytes } from "node:crypto";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { alterDelivery } from "../mutants/operators/answers.ts";
import { compose } from "../mutants/operators/compose.ts";
import { alterQuery } from "../mutants/operators/deliveries.ts";

/** Other strings for the states without a specified string (OPEN-81). */
const TURKISH_STATES: Readonly<Record<string, string>> = {
  OFFERED: "TEKLIF_EDILDI",
  AT_PICKUP: "RESTORANDA",
  PICKED_UP: "TESLIM_ALINDI",
  EN_ROUTE: "YOLDA",
  ARRIVED: "KAPIDA",
  DELIVERED: "TESLIM_EDILDI",
  FAILED: "BASARISIZ",
  CANCELLED: "IPTAL",
  RETURNING: "IADE_YOLUNDA",
  RETURNED: "IADE",
};

/** The server's own string for a value of the status filter. */
const known = (status: string): string =>
  Object.keys(TURKISH_STATES).find((own) => TURKISH_STATES[own] === status) ?? status;

/** States have Turkish names in responses and requests. */
export const turkishStates = compose(
  alterDelivery(({ status }) => ({ status: TURKISH_STATES[status] ?? status })),
  alterQuery(({ statuses }) => ({ statuses: statuses?.map(known) })),
);

const SECRET_BYTES = 20;

/** OPEN-77: secrets of another length, with unpadded base64. */
export const shortSecrets = (deps: Dependencies): Dependencies => ({
  ...deps,
  ids: {
    ...deps.ids,
    webhookSecret: () => `whsec_${randomBytes(SECRET_BYTES).toString("base64").replaceAll("=", "")}`,
  },
});
