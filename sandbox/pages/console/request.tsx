/** One request with its response. */
import type { RequestBody, RequestDetail } from "../../console/types.ts";
import { Body, Headers } from "./code.tsx";
import { CopyAsCurl } from "./curl.tsx";
import { Detail, Facts } from "./detail.tsx";
import { dateTime, StatusPill, size, took } from "./format.tsx";
import { Link } from "./forms.tsx";
import { state } from "./state.ts";

/** Explanations of the service's error codes for developers of clients (specification, Errors). */
const hints: Record<string, string> = {
  DOGRULAMA: "The request is invalid: details name the field and the reason.",
  ESLEME_KODU_GEREKLI: "A restaurant that isn't linked yet needs a pairing_code.",
  ESLEME_KODU_GECERSIZ: "The pairing code is wrong, used or expired: issue another one under Integrators.",
  IMLEC_GECERSIZ: "The cursor is invalid: repeat the request without it.",
  invalid_client: "client_id or client_secret is wrong.",
  KIMLIK_YOK: "There is no Authorization: Bearer header.",
  SURESI_DOLDU: "The token has expired (after 30 minutes): get a new one and repeat the request.",
  GECERSIZ: "The token wasn't issued by this server: get a new one and repeat the request.",
  OTURUM_GECERSIZ: "The credential was closed.",
  YETKI_YOK: "This credential may not use this endpoint.",
  BULUNAMADI: "There is no such record, or it is another integrator's.",
  MAGAZA_YOK: "No restaurant is linked under this external_store_id.",
  IDEMPOTENCY_CAKISMA: "This Idempotency-Key was used with another body.",
  EXTERNAL_REF_TEKRAR:
    "The restaurant already has a delivery with this external_ref. Its id is in details.delivery_id.",
  MAGAZA_PASIF: "The restaurant is suspended or closed.",
  KURYE_ALDI: "The courier has the package, so the delivery can't be changed or cancelled.",
  SON_DURUM: "The delivery has ended.",
  PLAN_DEGISEMEZ: "scheduled_for can't change after a quote.",
  BASKA_POS: "The restaurant is linked by another integrator.",
  ABONELIK_SINIRI: "There are five active webhook endpoints already.",
  TAKIP_KAPANDI: "The tracking link has expired.",
  HIZMET_DISI: "The drop-off is outside the service area: correct the address, don't retry.",
  ICERIK_TURU: "The Content-Type has to be application/json.",
  HIZ_SINIRI: "Too many requests: wait for the seconds in retry-after.",
  SUNUCU_HATASI: "The server failed: retry with backoff, with the same Idempotency-Key.",
};

const hintOf = (code: string | null) => (code === null ? undefined : hints[code]);

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
  return unread ? "No body, or the request was refused before its body was read." : "No body.";
}
