/** The temporary delay and errors of the sandbox, and their end. */
import type { FaultSettings } from "../../console/types.ts";
import { api } from "./api.ts";
import { moment, percent } from "./format.tsx";
import { Button, Form, Input, Submit } from "./forms.tsx";
import { act } from "./polling.ts";
import { state } from "./state.ts";

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
export function FaultSwitch() {
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
