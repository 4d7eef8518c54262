/** Hop-by-hop fields (RFC 9110, 7.6.1), and fields that each connection writes for itself. */
const OF_THE_HOP = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The fields of a message that a proxy forwards: not those that Connection names, such as an upgrade's. */
export function endToEnd(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OF_THE_HOP.has(name) && !named.includes(name)),
  );
}
