import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from "node:zlib";
import { textOf } from "../json.ts";
import { UnreadableResponse } from "./unreadable-response.ts";

type Decode = (bytes: Uint8Array, options: Pick<ZlibOptions, "maxOutputLength">) => Uint8Array;

/**
 * True for zlib's format (RFC 1950, 2.2), which HTTP's deflate means. Some servers send raw deflate instead.
 */
const isZlib = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;

const inflate: Decode = (bytes, options) =>
  isZlib(bytes) ? inflateSync(bytes, options) : inflateRawSync(bytes, options);

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflate],
  ["br", brotliDecompressSync],
  ["zstd", zstdDecompressSync],
]);

/** More codings than real servers combine. Decoding each one costs time. */
const MAX_CODINGS = 4;

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";

/**
 * Removes a body's content coding. Requests accept the codings of ordinary clients. Some of these clients send
 * no accept-encoding, which allows any coding (RFC 9110, 12.5.3).
 * @param maxBytes the limit after each decoding: a few bytes can decode to gigabytes
 * @throws UnreadableResponse if the body is too long, has too many codings, or doesn't match its
 * content-encoding
 */
export function decoded(bytes: Uint8Array, contentEncoding: string, maxBytes: number): Uint8Array {
  // An empty body has no coding, even if a compressing proxy names one, as for a 204.
  if (bytes.length === 0) return bytes;
  const decoders = contentEncoding
    .split(",")
    .map((coding) => DECODERS.get(coding.trim().toLowerCase()))
    .filter((decode) => decode !== undefined);
  if (decoders.length > MAX_CODINGS)
    throw new UnreadableResponse(`its response has ${decoders.length} content codings`);
  return decoders.reduceRight((body, decode) => {
    try {
      return decode(body, { maxOutputLength: maxBytes });
    } catch (error) {
      throw new UnreadableResponse(
        isTooLong(error)
          ? `its response is longer than ${maxBytes / 1024 / 1024} MB once it is decoded`
          : `its body doesn't match its content-encoding: ${error instanceof Error ? error.message : textOf(error)}`,
      );
    }
  }, bytes);
}
