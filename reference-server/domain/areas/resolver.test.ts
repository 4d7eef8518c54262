import { expect, test } from "vitest";
import { addressResolver } from "./resolver.ts";

test("an address without a point gets candidates, the named district first", async () => {
  const query = { address: "Moda Caddesi 1, Kadıköy", neighborhood: null, district: null, city: null };
  const [best] = await addressResolver.candidates(query);
  expect(best).toMatchObject({ district: "Kadıköy", city: "İstanbul" });
  expect(await addressResolver.candidates({ ...query, address: "Bilinmeyen 1" })).toEqual([]);
});
