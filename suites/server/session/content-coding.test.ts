import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decoded } from "./content-coding.ts";

const plain = Buffer.from('{"status":"QUEUED","city":"İstanbul"}');
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test("a body is what it was before it was coded, in whatever case the coding is named", () => {
  expect(text(decoded(gzipSync(plain), "GZIP"))).toBe(plain.toString());
  expect(text(decoded(brotliCompressSync(plain), "br"))).toBe(plain.toString());
});

test("of several codings the last one is undone first", () => {
  expect(text(decoded(gzipSync(brotliCompressSync(plain)), "br, gzip"))).toBe(plain.toString());
});

test("a body without a coding, or of one that isn't known, is left as it is", () => {
  for (const coding of ["", "identity", "aws-chunked"]) expect(decoded(plain, coding)).toEqual(plain);
});

test("bytes that aren't what their header says can't be read", () => {
  expect(() => decoded(plain, "gzip")).toThrow();
});
