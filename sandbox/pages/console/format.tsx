/** Formats times, durations, amounts and states. */
import type { DeliveryDetail, IntegratorSummary, Outcome } from "../../console/types.ts";

const time = (text: string) =>
  new Date(text).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
export const dateTime = (text: string) =>
  new Date(text).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** The time, with the date unless it is today. With a moved clock, always with the date. */
export function moment(text: string, clock?: Pick<IntegratorSummary, "ahead_s">): string {
  const at = new Date(text);
  const isToday = at.toDateString() === new Date().toDateString();
  if (isToday && (clock?.ahead_s ?? 0) === 0) return time(text);
  return `${at.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, ${time(text)}`;
}

const units = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
] as const;

/** A duration in its two largest units. */
export function duration(seconds: number): string {
  let left = Math.round(seconds);
  const parts = units.map(([name, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 && `${count} ${name}`;
  });
  const first = parts.findIndex(Boolean);
  return first < 0
    ? "0 s"
    : parts
        .slice(first, first + 2)
        .filter(Boolean)
        .join(" ");
}

export const took = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : duration(ms / 1000));
export const percent = (share: number) =>
  share.toLocaleString("en-GB", { style: "percent", maximumFractionDigits: 2 });
export const amount = (count: number) => count.toLocaleString("en-GB");
export const counted = (count: number, one: string, more = `${one}s`) =>
  `${amount(count)} ${count === 1 ? one : more}`;
export const size = (bytes: number) => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} kB`);

/** The defined parts on one line. */
export const line = (...parts: (string | null | undefined | false)[]) => parts.filter(Boolean).join(" · ");

const kinds: Record<string, string> = {
  DELIVERED: "good",
  RETURNED: "warn",
  RETURNING: "warn",
  FAILED: "bad",
  FAILING: "bad",
  CANCELLED: "bad",
  CLOSED: "bad",
  ACTIVE: "good",
  RECEIVED: "plain",
  QUEUED: "plain",
  PENDING: "warn",
};

export const Pill = ({ status }: { status: string }) => (
  <span class={`pill ${kinds[status] ?? "busy"}`}>{status.replaceAll("_", " ")}</span>
);

export function StatusPill({ status }: { status: number }) {
  const kind = status < 300 ? "good" : status < 400 ? "warn" : "bad";
  return <span class={`pill code-pill ${kind}`}>{status}</span>;
}

const eventWords: Record<string, string> = { PENDING: "PENDING", FAILED: "GIVEN UP", CANCELLED: "NOT SENT" };

/** An event's state: an arrow and the response, so that it differs from the delivery's state. */
export function EventPill({ state, outcome }: { state: string; outcome: Outcome | null }) {
  const words = eventWords[state] ?? `→ ${outcome?.text ?? "sent"}`;
  return <span class={`pill code-pill ${kinds[state] ?? "busy"}`}>{words}</span>;
}

/** The result of an attempt, in words if available. */
export const outcomeWords = ({ text, words }: Outcome) =>
  words ?? (/^\d+$/.test(text) ? `it answered ${text}` : text);

export const actionWords: Record<DeliveryDetail["actions"][number], string> = {
  offered: "Offer to a courier",
  offer_lapsed: "Let the offer lapse",
  assigned: "Assign",
  at_pickup: "At the restaurant",
  picked_up: "Picked up",
  en_route: "On the way",
  arrived: "At the door",
  delivered: "Delivered",
  failed: "Failed",
  returning: "Take back",
  returned: "Returned",
};

/** An integrator's name, or its client_id. */
export const nameOf = ({ name, client_id }: { name: string | null; client_id: string }) => name ?? client_id;
