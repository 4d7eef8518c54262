import { expect, test } from "vitest";
import { shellWords } from "./shell-words.ts";

test.each<[string, readonly string[] | undefined]>([
  ["curl -X POST  http://a", ["curl", "-X", "POST", "http://a"]],
  [`-d '{"a":"b c"}'`, ["-d", '{"a":"b c"}']],
  [`'it'\\''s'`, ["it's"]],
  ['"a \\"b\\" \\n"', ['a "b" \\n']],
  ["$'a\\'b\\n\\u00e7\\x41'", ["a'b\nçA"]],
  ["a \\\n  b", ["a", "b"]],
  ["'two\nlines'", ["two\nlines"]],
  ["a$b ''", ["a$b", ""]],
  ["'open", undefined],
  ["", []],
])("%j", (line, words) => {
  expect(shellWords(line)).toEqual(words);
});
