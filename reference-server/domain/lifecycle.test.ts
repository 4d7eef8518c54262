import { describe, expect, test } from "vitest";
import { type Action, changeRefusal, lifecycle, transitionFrom } from "./lifecycle.ts";
import { type Status, statuses } from "./model.ts";

const isAction = (name: string): name is Action => Object.hasOwn(lifecycle.transitions, name);
const actions = Object.keys(lifecycle.transitions).filter(isAction);
const waysFrom = (status: Status) =>
  actions.flatMap((action) => transitionFrom(lifecycle, status, action)?.to ?? []);

describe("the table of transitions", () => {
  test("reaches every state from an initial one", () => {
    const reached = new Set<Status>(Object.values(lifecycle.openings).map(({ status }) => status));
    for (const status of reached) for (const next of waysFrom(status)) reached.add(next);
    expect([...reached].sort()).toEqual([...statuses].sort());
  });

  test.each(statuses)("%s has transitions unless it is final", (status) => {
    expect(waysFrom(status).length > 0).toBe(!lifecycle.states[status].final);
  });

  test.each(statuses)("%s can be cancelled if it can be changed, and not otherwise", (status) => {
    const cancellable = transitionFrom(lifecycle, status, "cancel") !== undefined;
    expect(cancellable).toBe(changeRefusal(lifecycle, status) === undefined);
  });

  test("never returns to the courier search after the pick-up", () => {
    const carried = statuses.filter((status) => lifecycle.states[status].withCourier);
    expect(carried).toEqual(["PICKED_UP", "EN_ROUTE", "ARRIVED", "RETURNING"]);
    for (const status of carried) expect(waysFrom(status)).not.toContain("QUEUED");
  });

  test("allows changes by the integrator until the courier has the package", () => {
    const refusals = Object.fromEntries(statuses.map((status) => [status, changeRefusal(lifecycle, status)]));
    expect(refusals).toMatchObject({ QUEUED: undefined, PICKED_UP: "KURYE_ALDI", RETURNING: "KURYE_ALDI" });
    expect(refusals).toMatchObject({ DELIVERED: "SON_DURUM", FAILED: "SON_DURUM", CANCELLED: "SON_DURUM" });
  });
});
