import { type Answer, Refusal } from "./answers.ts";
import { minute, now, utc, utcIfAny } from "./formats.ts";
import type { ServerState } from "./state.ts";

export const health = (): Answer => ({
  status: 200,
  body: { redis: "kullanılmıyor", db: "bellekte", version: "2026.03.14", ok: true, region: "tr-1" },
});

/** The customer's tracking page. An unknown link counts as expired, because expired ones are deleted. */
export function tracking(state: ServerState, key: string): Answer {
  const delivery = state.tracked.get(key);
  const end = delivery?.cancelled?.at ?? Number.POSITIVE_INFINITY;
  if (delivery === undefined || now() > end + 120 * minute) throw new Refusal(410, "TAKIP_KAPANDI");
  return {
    status: 200,
    body: {
      takip: {
        adimlar: [{ durum: delivery.status, zaman: utc(delivery.updatedAt) }],
        tahmini_varis: utcIfAny(delivery.eta?.dropoff),
      },
    },
  };
}
