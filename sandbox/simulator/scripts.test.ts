import { describe, expect, test } from "vitest";
import { phrases, scriptIn, unknownPhraseIn } from "./scripts.ts";

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

  test("an unknown phrase is reported", () => {
    expect(unknownPhraseIn("sim: faild at the door. Zile basmayın")).toBe("faild at the door");
    for (const [english, turkish] of Object.values(phrases)) {
      expect([unknownPhraseIn(`sim: ${english}`), unknownPhraseIn(`sim: ${turkish}`)]).toEqual([
        undefined,
        undefined,
      ]);
    }
    expect(unknownPhraseIn("a simple note")).toBeUndefined();
    expect(unknownPhraseIn(null)).toBeUndefined();
  });
});
