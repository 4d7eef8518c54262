import { describe, expect, test } from "vitest";
import { itemsToTry } from "../core/mutation/scope.ts";
import { certifyVariant } from "./testing/certify-variant.ts";
import { clientVariants } from "./variants.ts";

describe("a client that makes other legal choices is CONFORMANT", () => {
  const tried = itemsToTry(Object.keys(clientVariants));
  for (const [name, variant] of Object.entries(clientVariants).filter(([name]) => tried.includes(name))) {
    // Runs that share one thread delay each other's responses, too much for a client with a timeout of a
    // second.
    test(name, { concurrent: variant.behaviour.timeout === undefined }, async () => {
      const { grade, trouble } = await certifyVariant(variant);
      expect(trouble).toEqual({});
      expect(grade.verdict).toBe("CONFORMANT");
    });
  }
});
