/** The console's state. `change` is the only way to change it, and redraws the page. */
import type { components } from "../../../openapi/generated/control.ts";
import type * as Shapes from "../../console/types.ts";

/**
 * The filters of a list: the server's names, and `time` as seconds before now, or "between" for the local
 * times in `from` and `to`.
 */
export type Search = { [name: string]: string };

export type ListName = "deliveries" | "requests" | "events";

/** Data from the server is undefined until its first response, and null for a record that doesn't exist. */
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
  /** The number of rows before the shown page. */
  offset: Record<ListName, number>;
  /** The query of the shown list. */
  question: string;
  /** The integrator whose webhooks and events are shown. */
  client?: string | undefined;
  /** A secret that is shown once. Like `newIntegrator` and `newCode`, it stays until a newer secret replaces it. */
  newSecret?: Shapes.SubscriptionSecret | undefined;
  newIntegrator?: Shapes.IntegratorCreated | undefined;
  newCode?: components["schemas"]["PairingCode"] | undefined;
  /** Why refreshing fails. */
  problem?: string | undefined;
  /** A message that stays until the next click or key press, so that users have time to read it. */
  said?: string | undefined;
  /** Why signing in failed. */
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

/** True while a mouse button is down. An element that moves meanwhile would miss the click. */
let isPressed = false;
let isDrawingDue = false;

export function change(more: Partial<State>): void {
  state = { ...state, ...more };
  if (isPressed) isDrawingDue = true;
  else draw();
}

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
// The click event follows this event.
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(release));
// Releasing the button outside the window sends no event.
addEventListener("pointermove", ({ buttons }) => {
  if (isPressed && buttons === 0) release();
});

/** The parameters of a view in the URL. */
export interface ViewProps {
  id: string | undefined;
  second: string | undefined;
}

/** The view in the URL's fragment: `#/deliveries/ID`, `#/events/ID/ENDPOINT`. */
export function place(): ViewProps & { view: string } {
  const [view = "deliveries", ...ids] = location.hash.replace(/^#\//, "").split("/").filter(Boolean);
  const [id, second] = ids.map(decodeURIComponent);
  return { view, id, second };
}

export const integratorBy = (clientId: string | null | undefined) =>
  state.overview?.integrators.find(({ client_id }) => client_id === clientId);
