import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";

type Decode = (bytes: Uint8Array) => Uint8Array;

const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/**
 * A body as it was before it was coded. We ask for no coding, which HTTP takes for any being welcome (RFC 9110, 12.5.3).
 * @throws where the bytes aren't what their content-encoding says
 */
export function decoded(bytes: Uint8Array, contentEncoding: string): Uint8Array {
  const codings = contentEncoding.split(",").map((coding) => coding.trim().toLowerCase());
  return codings.reduceRight((body, coding) => DECODERS[coding]?.(body) ?? body, bytes);
}
