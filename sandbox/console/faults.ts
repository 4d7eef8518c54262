/** Describes failed delivery attempts for the developer of the receiver. */
import type { Outcome } from "./types.ts";

const closed = "it closed the connection without a response";
const noTls = "no https at this port: is it an http port?";
const unknownCa = "its certificate's CA isn't trusted: trustReceiver adds it";

const words: Readonly<Record<string, string>> = {
  "not answered in time": "it didn't respond within 15 s",
  ForbiddenAddress: "its name resolves to a private address, which webhooks may not reach",
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host's name could not be looked up",
  ECONNRESET: closed,
  EPIPE: closed,
  ETIMEDOUT: "the connection could not be established in time",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "the network can't be reached",
  EPROTO: noTls,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownCa,
  SELF_SIGNED_CERT_IN_CHAIN: unknownCa,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownCa,
  UNABLE_TO_GET_ISSUER_CERT: unknownCa,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownCa,
  CERT_SIGNATURE_FAILURE: "its certificate was not signed by the trusted CA of that name",
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate isn't valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
};

/** Describes a fault. Undefined for a status and for an unknown fault. */
export const faultWords = (fault: string): string | undefined =>
  fault.startsWith("HPE_") ? "its response isn't HTTP" : words[fault];

export function outcomeOf(text: string): Outcome;
export function outcomeOf(text: string | null): Outcome | null;
export function outcomeOf(text: string | null): Outcome | null {
  return text === null ? null : { text, words: faultWords(text) ?? null };
}
