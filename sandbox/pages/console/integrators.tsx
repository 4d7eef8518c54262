/** Integrators with their limits, clocks and simulated couriers. */
import type { IntegratorSummary } from "../../console/types.ts";
import { api } from "./api.ts";
import { Facts } from "./detail.tsx";
import { amount, dateTime, duration, nameOf } from "./format.tsx";
import { Button, Check, Choice, Form, type Option } from "./forms.tsx";
import { NewIntegrator, PairingCodes } from "./new-integrator.tsx";
import { act } from "./polling.ts";
import { change, state } from "./state.ts";

export function IntegratorsView() {
  const known = state.overview?.integrators;
  const total = state.overview?.integrators_total ?? 0;
  return (
    <main class="stack" id="main">
      <div class="title-line">
        <h1>Integrators</h1>
        <span class="quiet count">{amount(total)}</span>
        {known !== undefined && known.length < total && (
          <span class="quiet small">{`the newest ${amount(known.length)} are listed`}</span>
        )}
      </div>
      <div class="columns">
        <NewIntegrator />
        <PairingCodes />
      </div>
      {known === undefined ? (
        <p class="empty">Loading…</p>
      ) : (
        <ul class="cards">
          {known.map((one) => (
            <Integrator key={one.client_id} {...one} />
          ))}
        </ul>
      )}
    </main>
  );
}

const changed = (known: IntegratorSummary) =>
  (state.overview?.integrators ?? []).map((one) => (one.client_id === known.client_id ? known : one));

function Integrator(known: IntegratorSummary) {
  const { client_id, limit, now, ahead_s, simulated, deliveries, credit, closed_at, kind } = known;
  const simulate = (simulated: boolean) => {
    const words = simulated ? "Simulated couriers accept its deliveries" : "Its couriers move only by hand";
    void act(words, () => api.changeIntegrator(client_id, { simulated }));
    // The checkbox keeps its state until the response.
    if (state.overview)
      change({ overview: { ...state.overview, integrators: changed({ ...known, simulated }) } });
  };
  const used = limit.limit - limit.remaining;
  const label = `${used} of ${limit.limit} requests used in this minute`;
  return (
    <li class="card">
      <div class="row-top">
        <h2>{nameOf(known)}</h2>
        {closed_at && <span class="pill bad">closed</span>}
        {kind === "other" && <span class="pill plain">other credential</span>}
      </div>
      <p>
        <code class="url">{client_id}</code>
      </p>
      <Facts
        rows={[
          ["Deliveries", deliveries],
          ["Credit used", credit],
          [
            "Limit",
            <>
              <meter min={0} max={limit.limit} value={used} aria-label={label} />
              {` ${used} / ${limit.limit}`}
            </>,
          ],
          [
            "Clock",
            <>
              {dateTime(now)}
              {ahead_s > 0 && <span class="quiet">{` (${duration(ahead_s)} ahead)`}</span>}
            </>,
          ],
        ]}
      />
      <Check
        label="Simulated couriers"
        checked={simulated}
        disabled={state.overview?.simulator === null}
        onChange={({ currentTarget }) => simulate(currentTarget.checked)}
      />
      <ClockForm {...known} />
    </li>
  );
}

const jumps: readonly Option[] = [
  ["60", "1 minute"],
  ["300", "5 minutes"],
  ["1800", "30 minutes"],
  ["7200", "2 hours"],
  ["36000", "10 hours"],
  ["86400", "1 day"],
];

function ClockForm(known: IntegratorSummary) {
  const advance = (entered: FormData) => {
    const seconds = Number(entered.get("seconds"));
    void act(`The clock of ${nameOf(known)} is advanced by ${duration(seconds)}`, () =>
      api.advance(known.client_id, seconds),
    );
  };
  return (
    <Form class="inline" onEntered={advance}>
      <Choice label="Advance by" name="seconds" options={jumps} begin="300" />
      <Button type="submit">Advance the clock</Button>
    </Form>
  );
}
