/** One delivery: its courier's route, data, history, and courier actions. */
import type { DeliveryDetail } from "../../console/types.ts";
import { CourierMap, placesAt, pointOf } from "../shared/map.tsx";
import { api } from "./api.ts";
import { Code } from "./code.tsx";
import { Detail, Facts } from "./detail.tsx";
import { actionWords, dateTime, moment, Pill } from "./format.tsx";
import { Button, Form, Input, Link } from "./forms.tsx";
import { narrow } from "./lists.tsx";
import { act } from "./polling.ts";
import { change, integratorBy, state } from "./state.ts";

type Delivery = DeliveryDetail["delivery"];

export const DeliveryPane = ({ id }: { id: string }) => (
  <Detail
    list="deliveries"
    back="← All deliveries"
    known={state.delivery}
    isOpen={({ delivery }) => delivery.id === id}
    missing="This delivery does not exist."
  >
    {(known) => (
      <>
        <header class="detail-head">
          <h2 id="detail-title">{`Order ${known.delivery.external_ref}`}</h2>
          <span aria-live="polite">
            <Pill status={known.delivery.status} />
          </span>
          <span class="quiet">{`version ${known.delivery.version}`}</span>
        </header>
        <WayMap {...known} />
        <Waiting {...known} />
        <MoveByHand {...known} />
        <div class="columns">
          <Details {...known} />
          <History {...known} />
        </div>
      </>
    )}
  </Detail>
);

function WayMap({ delivery, store, trail }: DeliveryDetail) {
  const { courier, dropoff } = delivery;
  const name = courier?.name ?? "Courier";
  const at = pointOf(courier);
  const places = [
    ...placesAt("restaurant", store.name, store.at),
    ...placesAt("door", "Door", dropoff),
    ...placesAt("courier", name, at),
  ];
  const where = at === null ? "no courier yet" : `${name} at ${at.lat}, ${at.lng}`;
  const label =
    places.length === 0 ? "No point on the map is known yet." : `Map of the way from ${store.name}: ${where}`;
  return <CourierMap places={places} trail={trail} label={label} />;
}

/** The actions for a delivery without coordinates. */
function Waiting({ delivery: { id, status, dropoff } }: DeliveryDetail) {
  if (status !== "RECEIVED") return null;
  const body = JSON.stringify({ dropoff: { text: dropoff.text, lat: 40.9702, lng: 29.0571 } });
  return (
    <div class="hint warn">
      <p>
        <strong>This delivery waits for coordinates. </strong>
        The search for a courier starts once the drop-off has coordinates. Set them with PATCH.
      </p>
      <Code>{`PATCH /v1/deliveries/${id}\nContent-Type: application/json\n\n${body}`}</Code>
    </div>
  );
}

function MoveByHand({ delivery, actions }: DeliveryDetail) {
  const isTracked = delivery.courier !== null && isUnderWay(delivery);
  if (delivery.status === "RECEIVED" && actions.length === 0) return null;
  if (actions.length === 0 && !isTracked) return <p class="quiet">This delivery has ended.</p>;
  return (
    <fieldset class="hand" aria-label="Move by hand">
      <h3>Move by hand</h3>
      <div class="buttons">
        {actions.map((action) => (
          <Button
            key={action}
            onClick={() => void act(`${actionWords[action]}: done`, () => api.move(delivery.id, { action }))}
          >
            {actionWords[action]}
          </Button>
        ))}
      </div>
      {isTracked && <Position {...delivery} />}
    </fieldset>
  );
}

function Position({ id, courier, dropoff }: Delivery) {
  const report = (entered: FormData) => {
    const location = { lat: Number(entered.get("lat")), lng: Number(entered.get("lng")) };
    void act("Position reported", () => api.move(id, { action: "courier_location", location }));
  };
  const start = (name: "lat" | "lng") => courier?.[name] ?? dropoff[name] ?? "";
  const field = (name: "lat" | "lng", label: string) => (
    <Input label={label} name={name} type="number" step="any" required defaultValue={start(name)} />
  );
  return (
    <Form class="inline" onEntered={report}>
      {field("lat", "Latitude")}
      {field("lng", "Longitude")}
      <Button type="submit">Report position</Button>
    </Form>
  );
}

function Details({ delivery, store }: DeliveryDetail) {
  const { courier, customer, dropoff, payment, tracking_url } = delivery;
  return (
    <div>
      <h3>Details</h3>
      <Facts
        rows={[
          ["Restaurant", `${store.name}, ${store.company}`],
          ["Courier", courier ? `${courier.name}, ${courier.plate}, ${courier.phone}` : "nobody yet"],
          ["Customer", [customer?.name, customer?.phone].filter(Boolean).join(", ") || "unknown"],
          ["Door", dropoff.text],
          [
            "Payment",
            `${payment.type}, ${delivery.prepaid ? "paid already" : `${payment.amount_due} TL at the door`}`,
          ],
          ["Notes", delivery.notes],
          ["Customer's note", customer?.note],
          ["Reason", delivery.failure_reason ?? delivery.cancel_reason],
          [
            "Expected at the door",
            isUnderWay(delivery) && delivery.eta_dropoff_at && dateTime(delivery.eta_dropoff_at),
          ],
          ["PIN", delivery.delivery_pin],
        ]}
      />
      {tracking_url && (
        <p>
          <a href={trackingPath(tracking_url)} target="_blank" rel="noreferrer">
            Customer's tracking page
          </a>
        </p>
      )}
    </div>
  );
}

const isUnderWay = ({ status }: Delivery) =>
  !["DELIVERED", "FAILED", "RETURNED", "CANCELLED"].includes(status);

/** The page on this server, whatever its public URL is. */
const trackingPath = (url: string) => new URL(url).pathname.replace(/^.*\/t\//, "/t/");

function History({ history, client_id, delivery }: DeliveryDetail) {
  const delivery_id = delivery.id;
  const showRequests = () => narrow("requests", { client_id: "", delivery_id });
  const showEvents = () => {
    change({ client: client_id });
    narrow("events", { delivery_id });
  };
  const showEvent = () => change({ client: client_id, events: undefined, event: undefined });
  return (
    <div>
      <h3>History</h3>
      <p class="related">
        <Link to="/requests" onClick={showRequests}>
          Requests of this delivery
        </Link>
        <Link to="/events" onClick={showEvents}>
          Events of this delivery
        </Link>
      </p>
      <ol class="history">
        {history.map(({ event_id, type, version, at }) => (
          <li key={event_id}>
            <span class="quiet">{moment(at, integratorBy(client_id))}</span>
            <Link to={`/events/${event_id}`} onClick={showEvent}>
              {type.replace("delivery.", "").replaceAll("_", " ")}
            </Link>
            <span class="quiet">{`v${version}`}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
