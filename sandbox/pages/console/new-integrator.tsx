/** New integrators and pairing codes. Their secrets are shown once. */
import type { ComponentChildren } from "preact";
import { api } from "./api.ts";
import { CopyButton } from "./code.tsx";
import { dateTime } from "./format.tsx";
import { Check, Form, Input, Submit, textIn } from "./forms.tsx";
import { act } from "./polling.ts";
import { change, state } from "./state.ts";

export const Card = ({ id, title, children }: { id: string; title: string; children: ComponentChildren }) => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

function addIntegrator(entered: FormData, form: HTMLFormElement) {
  const wish = { name: textIn(entered, "name"), simulated: entered.get("simulated") === "on" };
  void act("The integrator is added", async () => {
    change({ newIntegrator: await api.addIntegrator(wish) });
    form.reset();
  });
}

export function NewIntegrator() {
  const made = state.newIntegrator;
  return (
    <Card id="new-integrator" title="New integrator">
      <Form class="inline" onEntered={addIntegrator}>
        <Input label="Name" name="name" required maxLength={200} />
        <Check label="Simulated couriers" name="simulated" defaultChecked />
        <Submit>Add integrator</Submit>
      </Form>
      {made && (
        <div class="once">
          <p>
            <strong>Save the secret: it is shown only once.</strong>
          </p>
          <Secret name="client_id" text={made.client_id} />
          <Secret name="client_secret" text={made.client_secret} />
        </div>
      )}
    </Card>
  );
}

function issueCode(entered: FormData) {
  const courier_company = textIn(entered, "company");
  const restaurant = textIn(entered, "restaurant");
  const wish = { ...(courier_company && { courier_company }), ...(restaurant && { restaurant }) };
  void act("The code is issued", async () => change({ newCode: await api.issueCode(wish) }));
}

export function PairingCodes() {
  const made = state.newCode;
  return (
    <Card id="codes-title" title="Pairing codes">
      <Form class="inline" onEntered={issueCode}>
        <Input label="Courier company" name="company" defaultValue="Hızlı Kurye" maxLength={200} />
        <Input label="Restaurant (optional)" name="restaurant" maxLength={200} />
        <Submit>Issue a code</Submit>
      </Form>
      {made && (
        <div class="once">
          <Secret name={`Code for ${made.courier_company.name}, shown only once`} text={made.pairing_code} />
        </div>
      )}
      <IssuedCodes />
    </Card>
  );
}

function IssuedCodes() {
  const { codes = [] } = state;
  if (codes.length === 0) return null;
  const unused = codes.filter(({ used_at }) => used_at === null).length;
  return (
    <details>
      <summary>{`${codes.length} issued recently, ${unused} unused`}</summary>
      <ul class="plain-list">
        {codes.map(({ company, restaurant, issued_at, used_at }) => (
          <li key={issued_at}>
            {`${company}${restaurant ? `, ${restaurant}` : ""} · ${dateTime(issued_at)} · `}
            {used_at === null ? "unused" : `used ${dateTime(used_at)}`}
          </li>
        ))}
      </ul>
    </details>
  );
}

const Secret = ({ name, text }: { name: string; text: string }) => (
  <p class="secret">
    <span class="quiet">{name}</span>
    <code>{text}</code>
    <CopyButton text={text} label={`Copy ${name}`} />
  </p>
);
