/** Adds webhook endpoints: an integrator's own, or the sandbox's inbox. */
import { useState } from "preact/hooks";
import { api } from "./api.ts";
import { Button, Check, Choice, Form, Input, type Option, Submit, textIn } from "./forms.tsx";
import { Card } from "./new-integrator.tsx";
import { actForClient } from "./polling.ts";
import { change, state } from "./state.ts";

export function NewEndpoint() {
  // A new form for each added endpoint.
  const [added, setAdded] = useState(0);
  const add = (entered: FormData) => {
    const description = textIn(entered, "description");
    const wish = {
      url: textIn(entered, "url"),
      event_types: entered.getAll("kind").map(String),
      ...(description && { description }),
    };
    actForClient("The endpoint is subscribed", async (client) => {
      change({ newSecret: await api.addEndpoint(client, wish) });
      setAdded(added + 1);
    });
  };
  return (
    <Card id="new-endpoint" title="Add an endpoint">
      <Form key={added} class="fields" onEntered={add}>
        <Input
          label="Public https URL"
          name="url"
          type="url"
          required
          placeholder="https://example.com/hooks"
        />
        <Input label="Description (optional)" name="description" maxLength={200} />
        <Kinds />
        <p class="quiet small">
          {"For a receiver on this machine, start the sandbox with "}
          <code>--forward-to localhost:3000/hooks</code>
        </p>
        <Submit disabled={state.client === undefined}>Add endpoint</Submit>
      </Form>
    </Card>
  );
}

function Kinds() {
  const { event_kinds = [], default_kinds = [] } = state.overview ?? {};
  const kinds = event_kinds.filter((kind) => kind !== "webhook.test");
  return (
    <details>
      <summary>Event types</summary>
      <div class="kinds">
        {kinds.map((kind) => (
          <Check
            key={kind}
            label={kind}
            name="kind"
            value={kind}
            defaultChecked={default_kinds.includes(kind)}
          />
        ))}
      </div>
    </details>
  );
}

const answers: readonly Option[] = [
  ["", "verifies and accepts events"],
  ["500", "fails with 500"],
  ["410", "is gone: 410"],
  ["302", "redirects: 302"],
  ["silence", "never answers"],
];

function addInbox(entered: FormData) {
  const answer = textIn(entered, "answer");
  actForClient("The inbox is subscribed", (client) => api.addInbox(client, answer === "" ? {} : { answer }));
}

export const InboxForm = () => (
  <Card id="new-inbox" title="Add an inbox">
    <p class="quiet">
      An endpoint inside the sandbox that verifies events and responds. You need no receiver.
    </p>
    <Form class="inline add" onEntered={addInbox}>
      <Choice label="Inbox that" name="answer" options={answers} />
      <Button type="submit" disabled={state.client === undefined}>
        Add inbox
      </Button>
    </Form>
  </Card>
);
