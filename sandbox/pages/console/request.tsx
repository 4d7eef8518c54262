/** One request with its response. */
import type { RequestBody, RequestDetail } from "../../console/types.ts";
import { Body, Headers } from "./code.tsx";
import { CopyAsCurl } from "./curl.tsx";
import { Detail, Facts } from "./detail.tsx";
import { dateTime, StatusPill, size, took } from "./format.tsx";
import { Link } from "./forms.tsx";
import { hintOf } from "./hints.ts";
import { state } from "./state.ts";

/** The sender of a request without a known token. */
export const nobody = "unknown client";

export const RequestPane = ({ id }: { id: string }) => (
  <Detail
    list="requests"
    back="← All requests"
    known={state.request}
    isOpen={(known) => String(known.id) === id}
    missing="This request is no longer kept."
  >
    {(request) => (
      <>
        <header class="detail-head">
          <h2 id="detail-title" class="mono">{`${request.method} ${request.path}`}</h2>
          <StatusPill status={request.status} />
          {request.code && <code>{request.code}</code>}
          <AsCurl {...request} />
        </header>
        {isRedacted(request) && (
          <p class="quiet small">Before you run the curl line, set TOKEN and replace [redacted].</p>
        )}
        <Hint {...request} />
        <RequestFacts {...request} />
        <Part name="Request" headers={request.request_headers} body={request.request_body} {...request} />
        <Part name="Response" headers={request.response_headers} body={request.response_body} {...request} />
      </>
    )}
  </Detail>
);

/** A request whose body was cut can't be sent again. */
function AsCurl({ method, path, request_headers, request_body }: RequestDetail) {
  if (request_body?.is_whole === false) return null;
  const url = `${location.origin}${path}`;
  return <CopyAsCurl method={method} url={url} headers={request_headers} body={request_body?.text ?? null} />;
}

function Hint({ code }: RequestDetail) {
  const hint = hintOf(code);
  return hint && <p class="hint">{hint}</p>;
}

const isRedacted = ({ request_headers, request_body }: RequestDetail) =>
  `${Object.values(request_headers)} ${request_body?.text}`.includes("[redacted]");

function RequestFacts({ at, took_ms, integrator, client_id, delivery_id }: RequestDetail) {
  return (
    <Facts
      rows={[
        ["Came at", dateTime(at)],
        ["Took", took(took_ms)],
        ["Integrator", integrator ?? client_id ?? nobody],
        [
          "Delivery",
          delivery_id && (
            <Link to={`/deliveries/${delivery_id}`}>
              <code>{delivery_id}</code>
            </Link>
          ),
        ],
      ]}
    />
  );
}

interface PartProps {
  name: "Request" | "Response";
  headers: Record<string, string>;
  body: RequestBody | null;
  status: number;
}

function Part({ name, headers, body, status }: PartProps) {
  return (
    <div class="part">
      <h3>{name}</h3>
      <details>
        <summary>{`Headers (${Object.keys(headers).length})`}</summary>
        <Headers headers={headers} />
      </details>
      {body === null && <p class="quiet">{withoutBody(name, status)}</p>}
      {body?.text === "" && <p class="quiet">{`${size(body.bytes)}, not text.`}</p>}
      {body?.text && <Body text={body.text} name={`${name.toLowerCase()} body`} />}
      {body?.text && !body.is_whole && <p class="quiet small">{`The beginning of ${size(body.bytes)}.`}</p>}
    </div>
  );
}

function withoutBody(name: PartProps["name"], status: number) {
  const unread = name === "Request" && [401, 403, 404, 415, 429].includes(status);
  return unread ? "No body, or refused before it was read." : "No body.";
}
