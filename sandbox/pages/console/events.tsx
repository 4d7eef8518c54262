import type { SentEventSummary } from "../../console/types.ts";
import { EventPane, endpointOf } from "./event.tsx";
import { EventPill, line, moment, outcomeWords } from "./format.tsx";
import { Choice, type Option } from "./forms.tsx";
import { integratorOptions, ListView, narrow, Row } from "./lists.tsx";
import { change, integratorBy, state, type ViewProps } from "./state.ts";

const states: readonly Option[] = [
  ["PENDING", "Waiting"],
  ["DELIVERED", "Delivered"],
  ["FAILED", "Given up"],
  ["CANCELLED", "Cancelled"],
];
const kinds = () => (state.overview?.event_kinds ?? []).map((kind) => [kind, kind] as const);
const endpoints = () => (state.subscriptions ?? []).map(({ id, url }) => [id, url] as const);

export const EventsView = ({ id, second: webhookId }: ViewProps) => (
  <ListView
    name="events"
    list={state.events}
    title="Events"
    searched="Order number or id"
    first={<IntegratorChoice />}
    filters={[
      { field: "type", label: "Kind", options: kinds() },
      { field: "webhook_id", label: "Sent to", options: endpoints() },
    ]}
    states={{ field: "state", label: "By state", options: states }}
    none="No events yet. They are sent to the endpoints listed under Webhooks."
    row={(item) => (
      <EventRow
        key={`${item.event_id} ${item.webhook_id}`}
        {...item}
        isOpen={item.event_id === id && (webhookId ?? item.webhook_id) === item.webhook_id}
      />
    )}
    detail={id && <EventPane key={`${id} ${webhookId}`} id={id} />}
    intro={{
      title: "Select an event",
      words: "It shows each delivery attempt with its response. You can send it again.",
    }}
  />
);

/** Selects the integrator. */
export const IntegratorChoice = () => (
  <Choice
    label="Integrator"
    value={state.client ?? ""}
    options={integratorOptions()}
    onChosen={(client) => {
      change({ client, subscriptions: undefined, events: undefined });
      narrow("events", { webhook_id: "" });
    }}
  />
);

/** The last failure and the next attempt, if any. */
function progress({ failures, outcome, next_at, state: sent }: SentEventSummary) {
  const next = sent === "PENDING" && outcome !== null && next_at !== null;
  return line(
    sent !== "DELIVERED" && outcome && outcomeWords(outcome),
    failures > 0 && `${failures} failed`,
    next && `next try ${moment(next_at, integratorBy(state.client))}`,
  );
}

function EventRow({ isOpen, ...event }: SentEventSummary & { isOpen: boolean }) {
  const { event_id, webhook_id, type, version, external_ref, occurred_at } = event;
  return (
    <Row
      to={`/events/${event_id}/${webhook_id}`}
      isOpen={isOpen}
      about={line(external_ref, version !== null && `v${version}`, endpointOf(webhook_id))}
      end={progress(event)}
    >
      <strong class="grow ellipsis">{type}</strong>
      <EventPill {...event} />
      <span class="quiet when">{moment(occurred_at, integratorBy(state.client))}</span>
    </Row>
  );
}
