import { describe, expect, test } from "vitest";
import { phrases, scriptIn } from "./scripts.ts";

describe("scripts", () => {
  test("are found in either language and any case, and nowhere else", () => {
    for (const [script, [english, turkish]] of Object.entries(phrases)) {
      expect(scriptIn(`sim: ${english.toUpperCase()}`)).toBe(script);
      expect(scriptIn(`Kapıcıya bırakın.\nsim: ${turkish.toLocaleUpperCase("tr")}`)).toBe(script);
    }
    expect(scriptIn("returned")).toBe("ordinary");
    expect(scriptIn("sim: something else")).toBe("ordinary");
    expect(scriptIn(null)).toBe("ordinary");
  });
});
