import {
  brotliDecompressSync,
  gunzipSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from "node:zlib";

type Decode = (bytes: Uint8Array, options: Pick<ZlibOptions, "maxOutputLength">) => Uint8Array;

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
  ["zstd", zstdDecompressSync],
]);

/** More codings than anybody puts one over the other: each is undone by itself, so that their number is work as well. */
const MAX_CODINGS = 4;

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";

/**
 * A body as it was before it was coded. We ask for no coding, which HTTP takes for any being welcome (RFC 9110, 12.5.3).
 * @param maxBytes the most that it may be after any of its codings: a few bytes can stand for gigabytes
 * @throws Error with words about the answer, where it is longer, is coded more often than anybody does, or isn't what its
 *   content-encoding says
 */
export function decoded(bytes: Uint8Array, contentEncoding: string, maxBytes: number): Uint8Array {
  const decoders = contentEncoding
    .split(",")
    .map((coding) => DECODERS.get(coding.trim().toLowerCase()))
    .filter((decode) => decode !== undefined);
  if (decoders.length > MAX_CODINGS) throw new Error(`its answer is coded ${decoders.length} times over`);
  return decoders.reduceRight((body, decode) => {
    try {
      return decode(body, { maxOutputLength: maxBytes });
    } catch (error) {
      if (!isTooLong(error)) throw error;
      throw new Error(`its answer is longer than ${maxBytes / 1024 / 1024} MB once it is decoded`);
    }
  }, bytes);
}
