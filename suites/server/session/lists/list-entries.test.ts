import { expect, test } from "vitest";
import { entriesIn } from "./list-entries.ts";

const FIELDS = ["no", "kod", "ad", "sinif"];
const CASH = { no: 1, kod: "NAKIT", ad: "Nakit", sinif: "KAPIDA" };
const CARD = { ...CASH, no: 2, kod: "KART" };

test.each([
  ["an array", [CASH, CARD], [CASH, CARD]],
  ["a wrapper that shares a field", { ad: "list", items: [CASH] }, [CASH]],
  [
    "groups",
    [
      { kanal: "POS", items: [CASH] },
      { kanal: "WEB", items: [CARD] },
    ],
    [CASH, CARD],
  ],
  ["an entry next to a group of entries", [CASH, { kanal: "WEB", items: [CARD] }], [CASH, CARD]],
  ["an entry next to an object without its fields", [CASH, {}, null], [CASH, {}, {}]],
  ["nothing", { items: [] }, []],
])("entries are found in %s", (_, value, entries) => {
  expect(entriesIn(value, FIELDS)).toEqual(entries);
});
