/** What the console knows, and the one way in which it changes: `change`, after which the page is drawn anew. */
import type { components } from "../../../openapi/generated/control.ts";
import type * as Shapes from "../../console/types.ts";

/**
 * What a list is narrowed by: names as the server has them, and `time` as a number of seconds until now, or "between" the
 * fields `from` and `to`, which are local.
 */
export type Search = { [name: string]: string };

export type ListName = "deliveries" | "requests" | "events";

/** What comes from the server is undefined until its first answer, and null if the server has no such record. */
export interface State {
  deliveries?: Shapes.Page<Shapes.DeliverySummary> | undefined;
  requests?: Shapes.RequestPage | undefined;
  events?: Shapes.Page<Shapes.SentEventSummary> | undefined;
  overview?: Shapes.Overview | undefined;
  codes?: Shapes.PairingCodeSummary[] | undefined;
  delivery?: Shapes.DeliveryDetail | null | undefined;
  request?: Shapes.RequestDetail | null | undefined;
  subscriptions?: Shapes.SubscriptionSummary[] | undefined;
  event?: Shapes.SentEventDetail | null | undefined;
  search: Record<ListName, Search>;
  /** How many rows come before the ones that are shown of a list. */
  offset: Record<ListName, number>;
  /** The question that the list on the page answers. */
  question: string;
  /** The integrator whose webhooks and events are shown. */
  client?: string | undefined;
  /** Shown once, as are `newIntegrator` and `newCode`: they stay until something newer takes their place. */
  newSecret?: Shapes.SubscriptionSecret | undefined;
  newIntegrator?: Shapes.IntegratorCreated | undefined;
  newCode?: components["schemas"]["PairingCode"] | undefined;
  /** Why nothing new comes in. */
  problem?: string | undefined;
  /** What is said in passing: it stays until the next click or key, because nobody reads by a clock. */
  said?: string | undefined;
  /** While signed out, why the last attempt failed. */
  refusal?: string | undefined;
}

const initial: State = {
  search: { deliveries: {}, requests: {}, events: {} },
  offset: { deliveries: 0, requests: 0, events: 0 },
  question: "",
};

export let state = initial;

let draw = () => {};

export function onChange(listener: () => void): void {
  draw = listener;
}

/** True while a button of the mouse is down. An element that moves away under it before it is up is not clicked. */
let isPressed = false;
let isDrawingDue = false;

export function change(more: Partial<State>): void {
  state = { ...state, ...more };
  if (isPressed) isDrawingDue = true;
  else draw();
}

/** Forgets everything that was known. */
export function forget(refusal: string | undefined): void {
  state = initial;
  change({ refusal });
}

function release() {
  isPressed = false;
  if (!isDrawingDue) return;
  isDrawingDue = false;
  draw();
}

const goOn = () => state.said && change({ said: undefined });
addEventListener("keydown", goOn);
addEventListener("pointerdown", () => {
  isPressed = true;
  goOn();
});
// The click comes right after it.
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(release));
// A button that goes up outside of the window sends no event.
addEventListener("pointermove", ({ buttons }) => {
  if (isPressed && buttons === 0) release();
});

/** What the address names in a view. */
export interface ViewProps {
  id: string | undefined;
  second: string | undefined;
}

/** The view that the address's fragment names: `#/deliveries/ID`, `#/events/ID/ADDRESS`. */
export function place(): ViewProps & { view: string } {
  const [view = "deliveries", ...ids] = location.hash.replace(/^#\//, "").split("/").filter(Boolean);
  const [id, second] = ids.map(decodeURIComponent);
  return { view, id, second };
}

/** What is known of an integrator, its clock among it. */
export const integratorBy = (clientId: string | null | undefined) =>
  state.overview?.integrators.find(({ client_id }) => client_id === clientId);
