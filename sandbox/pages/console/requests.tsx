/** The integrators' requests, including refused ones. */
import type { FaultSettings, RequestSummary } from "../../console/types.ts";
import { api } from "./api.ts";
import { amount, counted, line, moment, percent, StatusPill, took } from "./format.tsx";
import { Button, Form, Input, Submit } from "./forms.tsx";
import { byIntegrator, ListView, Row } from "./lists.tsx";
import { act } from "./polling.ts";
import { nobody, RequestPane } from "./request.tsx";
import { state, type ViewProps } from "./state.ts";

/** The temporary delay and errors of the sandbox, in words. */
function words({ latency_ms, error_rate, until }: FaultSettings) {
  if (latency_ms === 0 && error_rate === 0) return "Faults: none";
  const delay = latency_ms > 0 ? `${latency_ms} ms delay, ` : "";
  const errors = error_rate > 0 ? `${percent(error_rate)} errors, ` : "";
  return `Faults: ${delay}${errors}${until === null ? "until the sandbox stops" : `until ${moment(until)}`}`;
}

function switchOn(entered: FormData) {
  const numberIn = (name: string) => Number(entered.get(name)) || 0;
  const change = {
    latency_ms: numberIn("latency"),
    error_rate: numberIn("errors") / 100,
    for_s: numberIn("minutes") * 60,
  };
  void act("Faults are on", () => api.setFaults(change));
}

const end = () => void act("Faults are off", () => api.setFaults({ latency_ms: 0, error_rate: 0, for_s: 0 }));

const fields = [
  { name: "latency", label: "Delay, ms", defaultValue: 300, min: 0, max: 120_000 },
  { name: "errors", label: "Errors, %", defaultValue: 2, min: 0, max: 100 },
  { name: "minutes", label: "For, minutes", defaultValue: 5, min: 1, max: 1440 },
];

/** Empty for a sandbox without fault injection. */
function FaultSwitch() {
  const faults = state.overview?.faults;
  if (!faults) return null;
  const isOn = faults.latency_ms > 0 || faults.error_rate > 0;
  return (
    <details class={isOn ? "faults on" : "faults"}>
      <summary>{words(faults)}</summary>
      <Form class="inline" onEntered={switchOn}>
        {fields.map((field) => (
          <Input key={field.name} type="number" required {...field} />
        ))}
        <div class="buttons">
          <Submit>Switch on</Submit>
          {faults.until !== null && <Button onClick={end}>End now</Button>}
        </div>
      </Form>
    </details>
  );
}

const methods = ["GET", "POST", "PATCH", "DELETE"].map((method) => [method, method] as const);
const classes = ["2", "4", "5"].map((digit) => [digit, `${digit}xx`] as const);

export const RequestsView = ({ id }: ViewProps) => (
  <ListView
    name="requests"
    list={state.requests}
    title="Requests"
    searched="Path, code, header or body"
    filters={[byIntegrator(), { field: "method", label: "Method", options: methods }]}
    states={{ field: "status", label: "By status", options: classes }}
    above={<FaultSwitch />}
    below={<Bound />}
    none="No requests yet. Your client's requests are listed here, including refused ones."
    row={(item) => <RequestRow key={item.id} {...item} isOpen={String(item.id) === id} />}
    detail={id && <RequestPane key={id} id={id} />}
    intro={{
      title: "Select a request",
      words: "It shows headers and bodies of request and response, without secrets and tokens.",
    }}
  />
);

/** The number of kept requests. */
function Bound() {
  const { seen = 0, kept = 0, most = 0 } = state.requests ?? {};
  if (seen === 0) return null;
  const words =
    seen === kept
      ? `${counted(seen, "request")} since the start. The latest ${amount(most)} are kept.`
      : `The latest ${amount(kept)} of ${amount(seen)} requests since the start are kept.`;
  return <p class="quiet small">{words}</p>;
}

function RequestRow({ isOpen, ...request }: RequestSummary & { isOpen: boolean }) {
  const { id, at, method, path, status, code, took_ms, integrator, client_id } = request;
  return (
    <Row
      to={`/requests/${id}`}
      isOpen={isOpen}
      about={line(integrator ?? client_id ?? nobody, code)}
      end={took(took_ms)}
    >
      <StatusPill status={status} />
      <code class="method">{method}</code>
      <code class="grow ellipsis">{path}</code>
      <span class="quiet when">{moment(at)}</span>
    </Row>
  );
}
