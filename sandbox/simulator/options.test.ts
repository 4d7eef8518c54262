import { expect, test } from "vitest";
import { SettingError } from "../../reference-server/settings.ts";
import { readSimulation } from "./options.ts";

test("couriers are simulated if a speed is set", () => {
  expect(readSimulation({})).toBeNull();
  expect(readSimulation({ SIMULATOR_SPEED: "60" })).toEqual({ speed: 60, seed: "1" });
  expect(readSimulation({ SIMULATOR_SPEED: "0.5", SIMULATOR_SEED: "x" })).toEqual({ speed: 0.5, seed: "x" });
  for (const speed of ["fast", "0", "-1", "3601", "1e3"]) {
    expect(() => readSimulation({ SIMULATOR_SPEED: speed })).toThrow(SettingError);
  }
});
