/** One event at one endpoint, with its delivery attempts. */
import type { SentEventDetail } from "../../console/types.ts";
import { api } from "./api.ts";
import { Body, Code, Headers } from "./code.tsx";
import { CopyAsCurl } from "./curl.tsx";
import { Detail, Facts } from "./detail.tsx";
import { dateTime, EventPill, moment, outcomeWords, StatusPill, took } from "./format.tsx";
import { Button, Link } from "./forms.tsx";
import { narrow } from "./lists.tsx";
import { actForClient } from "./polling.ts";
import { integratorBy, state } from "./state.ts";

export const endpointOf = (webhookId: string) =>
  state.subscriptions?.find(({ id }) => id === webhookId)?.url ?? "a deleted endpoint";

export const EventPane = ({ id }: { id: string }) => (
  <Detail
    list="events"
    back="← All events"
    known={state.event}
    isOpen={({ event_id }) => event_id === id}
    missing="No endpoint has this event."
  >
    {(event) => (
      <>
        <header class="detail-head">
          <h2 id="detail-title">{event.type}</h2>
          <span aria-live="polite">
            <EventPill {...event} />
          </span>
          <LastAsCurl {...event} />
          <SendAgain {...event} />
        </header>
        <NextAttempt {...event} />
        <EventFacts {...event} />
        <h3>Attempts</h3>
        {event.attempts.length === 0 && <p class="quiet">No attempt yet.</p>}
        {event.attempts.map((attempt, index) => (
          <Attempt key={attempt.ordinal} {...attempt} isLast={index === 0} />
        ))}
        <h3>Body</h3>
        <Body text={event.body} name="event body" />
      </>
    )}
  </Detail>
);

/** The last attempt with its signature. */
const LastAsCurl = ({ body, attempts: [last] }: SentEventDetail) =>
  last && <CopyAsCurl method="POST" url={last.url} headers={last.request_headers} body={body} />;

function SendAgain({ event_id, webhook_id }: SentEventDetail) {
  const endpoint = state.subscriptions?.find(({ id }) => id === webhook_id);
  const again = () =>
    actForClient("The event is being sent again", (client) =>
      api.redeliver(client, { webhook_id, event_id }),
    );
  return (
    <Button class="primary end" onClick={again} disabled={endpoint?.status !== "ACTIVE"}>
      Send this event again
    </Button>
  );
}

function NextAttempt({ state: sent, next_at, failures, outcome }: SentEventDetail) {
  if (sent === "FAILED") return <p class="hint bad">Given up after the last of 8 attempts.</p>;
  if (sent === "CANCELLED") return <p class="hint bad">Cancelled: its endpoint was closed or deleted.</p>;
  if (sent !== "PENDING" || next_at === null || outcome === null) return null;
  const next = `The next of 8 attempts is at ${moment(next_at, integratorBy(state.client))}`;
  return (
    <p class="hint warn">
      {`Attempt ${failures} failed: ${outcomeWords(outcome)}. ${next} on the integrator's clock.`}
    </p>
  );
}

function EventFacts(event: SentEventDetail) {
  const { occurred_at, webhook_id, event_id, delivery_id, external_ref, version } = event;
  return (
    <Facts
      rows={[
        ["Happened at", dateTime(occurred_at)],
        ["Sent to", <code class="url">{endpointOf(webhook_id)}</code>],
        ["webhook-id", <code>{event_id}</code>],
        [
          "Delivery",
          delivery_id && (
            <>
              <Link to={`/deliveries/${delivery_id}`}>{external_ref ?? delivery_id}</Link>
              {` in version ${version} `}
              <Button class="link" onClick={() => narrow("events", { delivery_id })}>
                Only its events
              </Button>
            </>
          ),
        ],
      ]}
    />
  );
}

function Attempt({ isLast, ...attempt }: SentEventDetail["attempts"][number] & { isLast: boolean }) {
  const { ordinal, started_at, took_ms, status, fault, url, response_headers, response_body } = attempt;
  return (
    <article class="attempt">
      <h4 class="row-top">
        {`Attempt ${ordinal}`}
        {status === null ? <span class="pill bad">no answer</span> : <StatusPill status={status} />}
        <span class="quiet when">
          {`${moment(started_at, integratorBy(state.client))}, took ${took(took_ms)}`}
        </span>
      </h4>
      {fault && (
        <p>
          {`${outcomeWords(fault)} `}
          <code class="quiet">{fault.text}</code>
        </p>
      )}
      <details>
        <summary>Request</summary>
        <Code>{`POST ${url}`}</Code>
        <Headers headers={attempt.request_headers} />
      </details>
      {response_headers !== null && (
        <details open={isLast}>
          <summary>Response</summary>
          <Headers headers={response_headers} />
          {response_body ? <Body text={response_body} name="response body" /> : <p class="quiet">No body.</p>}
        </details>
      )}
    </article>
  );
}
