import { expect, test } from "vitest";
import { blamedMember, excerptAround, membersWhere, namedMember, pathInWords } from "./member-paths.ts";

const list = {
  items: [
    { id: "a", version: 2, quantity: 2, secret: null },
    { id: "b", version: 3, ready_at: "2026-11-23T13:10:00Z", secret: "whsec_abcdefgh" },
  ],
};

test("members are found at any depth, and named by a path as in code", () => {
  const found = membersWhere(list, (value) => typeof value === "string" && value.startsWith("whsec_"));
  expect(found.map(pathInWords)).toEqual(["items[1].secret"]);
  expect(membersWhere([{ secret: 1 }], (value) => value === 1).map(pathInWords)).toEqual(["[0].secret"]);
  expect(membersWhere("text", () => true)).toEqual([]);
});

test("a finding is about the member with its name and value, and about none if two have them", () => {
  const blamed = (field: string | undefined, actual: unknown) => {
    const path = blamedMember(list, { field, actual });
    return path && pathInWords(path);
  };
  expect(blamed("version", 2)).toBe("items[0].version");
  expect(blamed("data.ready_at", "2026-11-23T13:10:00Z")).toBe("items[1].ready_at");
  expect(blamed(undefined, 2)).toBeUndefined();
  expect(blamed("quantity", 3)).toBeUndefined();
  expect(blamedMember([{ version: 2 }, { version: 2 }], { field: "version", actual: 2 })).toBeUndefined();
  expect(blamed("version", undefined)).toBeUndefined();
});

test("a finding about an entry of a list is about the member of this entry, or about the entry if it lacks the member", () => {
  const delivery = { total: 5, items: [{ name: "a", total: 180 }, { name: "b" }, { name: "c", total: 180 }] };
  const named = (field: string) => {
    const path = namedMember(delivery, { field });
    return path && pathInWords(path);
  };
  expect(named("delivery.items[0].total")).toBe("items[0].total");
  expect(named("delivery.items[1].total")).toBe("items[1]");
  expect(named("items[2].name")).toBe("items[2].name");
  expect(named("items[3].total")).toBeUndefined();
  expect(named("delivery.total")).toBeUndefined();
  const blamed = blamedMember(delivery, { field: "delivery.items[2].total", actual: 180 });
  expect(blamed && pathInWords(blamed)).toBe("items[2].total");
});

test("a member is shown with its siblings, and secrets are redacted before a line is shortened, the member's own line with a remark", () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`member_${at}`, at]));
  const answer = [{}, { ...many, near: `${"x".repeat(150)}SECRET-SECRET`, long: "y".repeat(600), last: 1 }];
  const around = excerptAround(answer, [1, "long"], (text) => text.replaceAll("SECRET", "[redacted]"));
  expect(around.split("\n")).toEqual([
    "…",
    '"member_37": 37',
    '"member_38": 38',
    '"member_39": 39',
    `"near": "${"x".repeat(150)}[…`,
    `"long": "${"y".repeat(491)}… (this report shows 500 of 610 characters)`,
    '"last": 1',
  ]);
  expect(excerptAround(["a", "b"], [1], String)).toBe('[0]: "a"\n[1]: "b"');
});
