/** The list of deliveries. */
import type { DeliverySummary } from "../../console/types.ts";
import { DeliveryPane } from "./delivery.tsx";
import { amount, line, moment, Pill } from "./format.tsx";
import { byIntegrator, ListView, Row } from "./lists.tsx";
import { integratorBy, state, type ViewProps } from "./state.ts";

export const DeliveriesView = ({ id }: ViewProps) => (
  <ListView
    name="deliveries"
    list={state.deliveries}
    title="Deliveries"
    searched="Order number or id"
    filters={[byIntegrator(), { field: "status", label: "Status", options: statuses() }]}
    none="No deliveries yet. Create one with POST /v1/deliveries."
    row={(item) => <DeliveryRow key={item.id} {...item} isOpen={item.id === id} />}
    detail={id && <DeliveryPane key={id} id={id} />}
    intro={{
      title: "Select a delivery",
      words: "It shows the courier's route and the history, and lets you move the courier by hand.",
      more: <Scripts />,
    }}
  />
);

function statuses() {
  const counts = state.deliveries?.by_state ?? {};
  return (state.overview?.statuses ?? []).map(
    (status) => [status, counts[status] ? `${status} (${amount(counts[status])})` : status] as const,
  );
}

function DeliveryRow({ isOpen, ...delivery }: DeliverySummary & { isOpen: boolean }) {
  const { id, external_ref, status, store, courier, customer, version, updated_at, client_id } = delivery;
  return (
    <Row
      to={`/deliveries/${id}`}
      isOpen={isOpen}
      about={line(store, courier ?? customer)}
      end={line(`v${version}`, moment(updated_at, integratorBy(client_id)))}
    >
      <strong class="grow ellipsis">{external_ref}</strong>
      {delivery.test && <span class="pill plain">test</span>}
      <Pill status={status} />
    </Row>
  );
}

function Scripts() {
  const scripts = state.overview?.simulator?.scripts ?? [];
  if (scripts.length === 0) return null;
  return (
    <>
      <h3>Scripts for simulated couriers</h3>
      <p class="quiet">Use one as a delivery's notes, in English or Turkish:</p>
      <ul class="scripts">
        {scripts.map(({ english, turkish }) => (
          <li key={english}>
            <code>{`sim: ${english}`}</code>
            <span class="quiet">{turkish}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
