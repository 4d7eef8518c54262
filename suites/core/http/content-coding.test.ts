import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { decoded } from "./content-coding.ts";
import { UnreadableResponse } from "./unreadable-response.ts";

const MB = 1024 * 1024;
const plain = Buffer.from('{"status":"QUEUED","city":"İstanbul"}');
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const undone = (bytes: Uint8Array, coding: string) => decoded(bytes, coding, MB);

test("an encoded body is decoded, and the encoding's name is case-insensitive", () => {
  expect(text(undone(gzipSync(plain), "GZIP"))).toBe(plain.toString());
  expect(text(undone(brotliCompressSync(plain), "br"))).toBe(plain.toString());
});

test("deflate is decoded with the zlib header, as HTTP requires it, and without, as some servers send it", () => {
  for (const bytes of [deflateSync(plain), deflateRawSync(plain)])
    expect(text(undone(bytes, "deflate"))).toBe(plain.toString());
});

test("several encodings are decoded in reverse order", () => {
  expect(text(undone(gzipSync(brotliCompressSync(plain)), "br, gzip"))).toBe(plain.toString());
});

test("a body without an encoding, or with an unknown one, is unchanged", () => {
  for (const coding of ["", "identity", "aws-chunked", "constructor", "__proto__"])
    expect(undone(plain, coding)).toEqual(plain);
});

test("a body that doesn't match its content-encoding is an error", () => {
  expect(() => undone(plain, "gzip")).toThrow(UnreadableResponse);
  expect(() => undone(plain, "gzip")).toThrow(
    "its body doesn't match its content-encoding: incorrect header",
  );
});

const zeros = Buffer.alloc(8 * MB);

test.each([
  ["gzip", gzipSync(zeros)],
  ["deflate", deflateSync(zeros)],
  ["br", brotliCompressSync(zeros)],
  ["zstd", zstdCompressSync(zeros)],
  ["gzip, gzip", gzipSync(gzipSync(zeros))],
  ["br, gzip", gzipSync(brotliCompressSync(zeros))],
])("a small body of %s that decompresses to more than the limit is rejected", (coding, bytes) => {
  expect(bytes.length).toBeLessThan(10_000);
  const before = process.memoryUsage().arrayBuffers;
  expect(() => undone(bytes, coding)).toThrow("longer than 1 MB once it is decoded");
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * MB);
});

test("a body with too many encodings is rejected", () => {
  const codings = Array.from({ length: 100 }, () => "gzip");
  expect(() => undone(plain, codings.join())).toThrow("100 content codings");
});

test.each(["gzip", "deflate", "br", "zstd"])(
  "a response without a body is empty, even with content-encoding %s",
  (coding) => {
    expect(undone(Buffer.alloc(0), coding)).toHaveLength(0);
  },
);
