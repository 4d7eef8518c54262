/** An integrator's webhook endpoints with their state and actions. */
import { useState } from "preact/hooks";
import type { SubscriptionSummary } from "../../console/types.ts";
import { api } from "./api.ts";
import { IntegratorChoice } from "./events.tsx";
import { amount, counted, duration, line, moment, outcomeWords, Pill } from "./format.tsx";
import { Button, Form, Input, Link, textIn } from "./forms.tsx";
import { narrow } from "./lists.tsx";
import { InboxForm, NewEndpoint } from "./new-endpoint.tsx";
import { actForClient } from "./polling.ts";
import { change, integratorBy, state } from "./state.ts";

export const WebhooksView = () => (
  <main class="stack" id="main">
    <div class="pane-head">
      <h1>Webhooks</h1>
      {state.overview?.integrators.length !== 0 && <IntegratorChoice />}
    </div>
    <Endpoints />
    <div class="columns">
      <NewEndpoint />
      <InboxForm />
    </div>
  </main>
);

function Endpoints() {
  const { subscriptions, client } = state;
  if (subscriptions === undefined) return <p class="empty">Loading…</p>;
  if (client === undefined) return <p class="card empty">No integrators yet. Add one under Integrators.</p>;
  if (subscriptions.length === 0)
    return <p class="card empty">No endpoints yet. Add one below, or with POST /v1/webhooks.</p>;
  return (
    <ul class="endpoints">
      {subscriptions.map((known) => (
        <Endpoint key={known.id} {...known} />
      ))}
    </ul>
  );
}

function Endpoint(known: SubscriptionSummary) {
  const { id, url, status, closes_at } = known;
  const isFailing = closes_at !== null;
  return (
    <li class={isFailing || status === "CLOSED" ? "card endpoint failing" : "card endpoint"}>
      <div class="row-top">
        <h2 class="url mono">{url}</h2>
        <Pill status={isFailing ? "FAILING" : status} />
      </div>
      <Failure {...known} />
      <About {...known} />
      <Numbers {...known} />
      <Actions {...known} />
      {state.newSecret?.id === id && (
        <p class="once secret">
          <strong>Its secret, shown only once:</strong>
          <code>{state.newSecret.secret}</code>
        </p>
      )}
    </li>
  );
}

function Failure({ status, failing_since, closes_at, last_failure, next_at }: SubscriptionSummary) {
  const clock = integratorBy(state.client);
  if (status === "CLOSED") {
    return (
      <p class="hint bad">
        Closed, because it answered 410 or failed for 5 days. Register it again to reopen it.
      </p>
    );
  }
  if (failing_since === null || closes_at === null || clock === undefined) return null;
  const since = Math.max(0, (Date.parse(clock.now) - Date.parse(failing_since)) / 1000);
  const why = last_failure ? `: ${outcomeWords(last_failure)}` : "";
  const next = next_at ? `Next try at ${moment(next_at, clock)}. ` : "";
  return (
    <p class="hint bad">
      {`Failing for ${duration(since)}, since ${moment(failing_since, clock)}${why}. `}
      {`${next}It is closed on ${moment(closes_at, clock)} if it keeps failing.`}
    </p>
  );
}

function About({ is_inbox, is_forwarded, description, event_types, created_at }: SubscriptionSummary) {
  const forwarded = is_forwarded ? "added by --forward-to" : description;
  const what = is_inbox ? "the sandbox's own inbox" : forwarded;
  const since = `since ${moment(created_at, integratorBy(state.client))}`;
  return (
    <p class="quiet" title={event_types.join(", ")}>
      {line(what, counted(event_types.length, "kind"), since)}
    </p>
  );
}

function Numbers({ id, events }: SubscriptionSummary) {
  const numbers = [
    ["delivered", events.delivered, "DELIVERED"],
    ["waiting", events.waiting, "PENDING"],
    ["given up", events.failed, "FAILED"],
    ["cancelled", events.cancelled, "CANCELLED"],
  ] as const;
  return (
    <ul class="numbers">
      {numbers.map(([name, count, sent]) => (
        <li key={name}>
          <Link to="/events" onClick={() => narrow("events", { webhook_id: id, state: sent })}>
            <strong>{amount(count)}</strong>
            {` ${name}`}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Actions({ id, status }: SubscriptionSummary) {
  const [isAsked, setAsked] = useState(false);
  const isActive = status === "ACTIVE";
  const test = () => actForClient("The test event is being sent", (client) => api.testEndpoint(client, id));
  const rotate = () =>
    actForClient("The secret is rotated", async (client) => {
      change({ newSecret: await api.rotateSecret(client, id) });
    });
  const remove = () => actForClient("The endpoint is deleted", (client) => api.deleteEndpoint(client, id));
  return (
    <div class="buttons">
      <Button onClick={test} disabled={!isActive}>
        Send test event
      </Button>
      <Button onClick={rotate}>Rotate secret</Button>
      {isAsked ? (
        <>
          <Button key="sure" class="danger" onClick={remove}>
            Really delete
          </Button>
          <Button key="keep" onClick={() => setAsked(false)}>
            Keep it
          </Button>
        </>
      ) : (
        <Button key="delete" onClick={() => setAsked(true)}>
          Delete
        </Button>
      )}
      <details class="again">
        <summary>Send again…</summary>
        <SendAgainForm id={id} isActive={isActive} />
      </details>
    </div>
  );
}

function SendAgainForm({ id, isActive }: { id: string; isActive: boolean }) {
  const [begin] = useState(hourAgo);
  const again = (entered: FormData) => {
    const since = new Date(textIn(entered, "since")).toISOString();
    actForClient("Sent again", async (client) => {
      const { events } = await api.redeliver(client, { webhook_id: id, since });
      return `${counted(events, "event is", "events are")} being sent again`;
    });
  };
  return (
    <Form class="inline" onEntered={again}>
      <Input
        label="All events since"
        type="datetime-local"
        name="since"
        step={1}
        required
        defaultValue={begin}
      />
      <Button type="submit" disabled={!isActive}>
        Send again
      </Button>
    </Form>
  );
}

/** On the integrator's clock, in the format of a date-time field; empty until the clock is known. */
function hourAgo() {
  const now = integratorBy(state.client)?.now;
  if (now === undefined) return "";
  const at = new Date(now);
  return new Date(at.getTime() - 3_600_000 - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
