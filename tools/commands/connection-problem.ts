import { request } from "node:https";
import { textOf } from "../../suites/core/json.ts";

const NO_TLS = "it doesn't respond with TLS: for a port without TLS, give an address with http://";

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host's name could not be looked up",
  ECONNRESET: "it closed the connection without a response",
  UND_ERR_SOCKET: "it closed the connection without a response",
  UND_ERR_CONNECT_TIMEOUT: "the connection could not be established in time",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "the network can't be reached",
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_SSL_HTTP_REQUEST: NO_TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed: set NODE_EXTRA_CA_CERTS to its CA",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate's CA is unknown: set NODE_EXTRA_CA_CERTS to it",
  CERT_SIGNATURE_FAILURE: "its certificate was not signed by the trusted CA of that name",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate's CA is unknown: set NODE_EXTRA_CA_CERTS to it",
};

/** Failures of the TLS handshake, by OpenSSL's message. Most failures have the same error code, EPROTO. */
const TLS_FAILURES: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [/wrong version number|packet length too long|http request/, NO_TLS],
  [
    /alert protocol version|unsupported protocol/,
    "it supports no TLS version after 1.1: enable TLS 1.2 or 1.3",
  ],
  [
    /alert (certificate required|bad certificate)/,
    "it requires a client certificate, which isn't in the specification",
  ],
  [
    /alert handshake failure/,
    "it ended the TLS handshake: it requires a client certificate, which isn't in the specification, or there is no common cipher",
  ],
];

/** The meaning of a system or HTTP client error code; undefined for an unknown code. */
const causeOf = (code: string): string | undefined =>
  code.startsWith("HPE_") ? "its response isn't HTTP" : CAUSES[code];

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? textOf(error.code) : "";

/** The error of a request with Node's client; undefined if there is a response. */
function errorOfNodeRequest(url: string, timeout: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const plain = request(url, { agent: false, timeout }, (response) => {
      response.destroy();
      resolve(undefined);
    });
    plain.on("error", resolve);
    plain.on("timeout", () => plain.destroy());
    plain.end();
  });
}

/**
 * Why undici's request to a URL failed, in words. With TLS 1.3, a server refuses a client after the handshake, and undici
 * reports only a closed connection. A request with Node's client then gives the reason.
 */
export async function connectionProblemAt(url: string, error: unknown, answerMs: number): Promise<string> {
  const mayBeAlert = url.startsWith("https:") && codeOf(error) === "UND_ERR_SOCKET";
  const plain = mayBeAlert ? await errorOfNodeRequest(url, answerMs) : undefined;
  return connectionProblem(plain ?? error, answerMs);
}

/** Why a connection failed, in words. */
export function connectionProblem(error: unknown, answerMs: number): string {
  const code = codeOf(error);
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return `no response within ${answerMs / 1000} s (the timeout)`;
  }
  const message = error instanceof Error ? error.message : "";
  const tls = TLS_FAILURES.find(([pattern]) => pattern.test(message))?.[1];
  return tls ?? causeOf(code) ?? (message || code || "it can't be reached");
}
