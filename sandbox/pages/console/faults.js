/** Delay and errors that the sandbox adds to its answers for a while, and until when. */
import { h } from "/pages/shared/dom.js";
import { api } from "./api.js";
import { moment } from "./format.js";
import { submitting } from "./forms.js";
import { act } from "./polling.js";
import { state } from "./state.js";

/** @import { FaultSettings } from "../../console/types.ts" */

/** @param {FaultSettings} faults */
function words({ latency_ms, error_rate, until }) {
  if (latency_ms === 0 && error_rate === 0) return "Faults: none";
  const parts = [
    latency_ms > 0 && `${latency_ms} ms delay`,
    error_rate > 0 && `${error_rate * 100} % errors`,
  ];
  const end = until === null ? "for the whole run" : `until ${moment(until)}`;
  return `Faults: ${parts.filter(Boolean).join(", ")}, ${end}`;
}

/** @param {FormData} entered @param {string} name */
const numberIn = (entered, name) => Number(entered.get(name)) || 0;

const switchOn = submitting((entered) => {
  const change = {
    latency_ms: numberIn(entered, "latency"),
    error_rate: numberIn(entered, "errors") / 100,
    for_s: numberIn(entered, "minutes") * 60,
  };
  void act("The faults are on", () => api.setFaults(change));
});
const end = () =>
  void act("The faults are over", () => api.setFaults({ latency_ms: 0, error_rate: 0, for_s: 0 }));

/** @param {string} name @param {string} label @param {number} value @param {number} max */
const field = (name, label, value, max) =>
  h(
    "label",
    { key: name },
    h("span", null, label),
    h("input", {
      type: "number",
      name,
      min: name === "minutes" ? 1 : 0,
      max,
      value: String(value),
      required: true,
    }),
  );

/** Nothing for a sandbox that adds none. */
export function faultSwitch() {
  const faults = state.overview?.faults;
  if (!faults) return null;
  const isOn = faults.latency_ms > 0 || faults.error_rate > 0;
  return h(
    "details",
    { class: isOn ? "faults on" : "faults", key: "faults" },
    h("summary", null, words(faults)),
    h(
      "form",
      { class: "inline", onsubmit: switchOn },
      field("latency", "Delay, ms", 300, 120_000),
      field("errors", "Errors, %", 2, 100),
      field("minutes", "For, minutes", 5, 1440),
      h("button", { type: "submit", class: "primary" }, "Switch on"),
      h("button", { type: "button", onclick: end, disabled: faults.until === null }, "End now"),
    ),
  );
}
