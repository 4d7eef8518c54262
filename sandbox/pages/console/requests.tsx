/** The integrators' requests, including refused ones. */
import type { RequestSummary } from "../../console/types.ts";
import { FaultSwitch } from "./faults.tsx";
import { amount, counted, line, moment, StatusPill, took } from "./format.tsx";
import { byIntegrator, ListView, Row } from "./lists.tsx";
import { nobody, RequestPane } from "./request.tsx";
import { state, type ViewProps } from "./state.ts";

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
      ? `${counted(seen, "request")} since the start, all kept; at most ${amount(most)} are.`
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
