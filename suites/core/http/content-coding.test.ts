import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { decoded } from "./content-coding.ts";

const MB = 1024 * 1024;
const plain = Buffer.from('{"status":"QUEUED","city":"İstanbul"}');
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const undone = (bytes: Uint8Array, coding: string) => decoded(bytes, coding, MB);

test("a body is what it was before it was coded, in whatever case the coding is named", () => {
  expect(text(undone(gzipSync(plain), "GZIP"))).toBe(plain.toString());
  expect(text(undone(brotliCompressSync(plain), "br"))).toBe(plain.toString());
});

test("deflate is read with zlib's head, as HTTP has it, and without, as some servers write it", () => {
  for (const bytes of [deflateSync(plain), deflateRawSync(plain)])
    expect(text(undone(bytes, "deflate"))).toBe(plain.toString());
});

test("of several codings the last one is undone first", () => {
  expect(text(undone(gzipSync(brotliCompressSync(plain)), "br, gzip"))).toBe(plain.toString());
});

test("a body without a coding, or of one that isn't known, is left as it is", () => {
  for (const coding of ["", "identity", "aws-chunked", "constructor", "__proto__"])
    expect(undone(plain, coding)).toEqual(plain);
});

test("bytes that aren't what their header says can't be read", () => {
  expect(() => undone(plain, "gzip")).toThrow();
});

const zeros = Buffer.alloc(8 * MB);

test.each([
  ["gzip", gzipSync(zeros)],
  ["deflate", deflateSync(zeros)],
  ["br", brotliCompressSync(zeros)],
  ["zstd", zstdCompressSync(zeros)],
  ["gzip, gzip", gzipSync(gzipSync(zeros))],
  ["br, gzip", gzipSync(brotliCompressSync(zeros))],
])("a small body of %s that stands for more than the limit isn't unfolded", (coding, bytes) => {
  expect(bytes.length).toBeLessThan(10_000);
  const before = process.memoryUsage().arrayBuffers;
  expect(() => undone(bytes, coding)).toThrow("longer than 1 MB once it is decoded");
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * MB);
});

test("a body that is coded over and over is given up", () => {
  const codings = Array.from({ length: 100 }, () => "gzip");
  expect(() => undone(plain, codings.join())).toThrow("100 content codings");
});

test.each(["gzip", "deflate", "br", "zstd"])(
  "an answer without a body is empty, though it says %s",
  (coding) => {
    expect(undone(Buffer.alloc(0), coding)).toHaveLength(0);
  },
);
