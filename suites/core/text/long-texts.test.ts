import { expect, test } from "vitest";
import { withLengths } from "./long-texts.ts";

const note = "Zil bozuk, kapıyı çalın 🙂 ".repeat(20);
const cut = "customer.note: 'Zil bozuk…' where 'Zil bozuk…' was due";
const told = (sentence: string, actual: unknown, expected: unknown) =>
  withLengths(sentence, Object.assign(new Error(sentence), { actual, expected }));
const said = (actual: string, expected: string) => told(cut, actual, expected);

test("of two texts that a line can't hold it is said how long they are, and where they part", () => {
  expect(said([...note].slice(0, 255).join(""), note)).toBe(
    `customer.note: the first 255 of the ${[...note].length} characters that were due`,
  );
  expect(said(`${note}!`, note)).toBe(
    `customer.note: ${[...note].length + 1} characters, where the first ${[...note].length} were due`,
  );
  expect(said(note.replace("🙂", "?"), note)).toBe(
    `customer.note: ${[...note].length} characters, which differ from the 25th on`,
  );
  expect(said(`Zil kırık${note}`, note)).toBe(
    `customer.note: ${[...note].length + 9} characters where ${[...note].length} were due, which differ from the 5th on`,
  );
  expect(said("", note)).toBe(
    `customer.note: the first 0 of the ${[...note].length} characters that were due`,
  );
});

test("texts that a line can hold, and an assertion can't, are shown whole", () => {
  const [actual, expected] = [
    "https://hooks.example.com/courier",
    `https://hooks.example.com/${"k".repeat(40)}`,
  ];
  expect(told("url: 'https://hooks…' where 'https://hooks…' was due", actual, expected)).toBe(
    `url: '${actual}' where '${expected}' was due`,
  );
});

test("what a line can hold, and what is no text, stays as it is", () => {
  for (const [sentence, actual, expected] of [
    ["status: 'A' where 'B' was due", "A", "B"],
    ["status: 2 where 1 was due", 2, 1],
    ["it isn't there", note, "x"],
  ] as const) {
    expect(told(sentence, actual, expected)).toBe(sentence);
  }
});
