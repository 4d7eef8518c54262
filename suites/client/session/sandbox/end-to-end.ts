/** Hop-by-hop headers (RFC 9110, 7.6.1), and headers that differ for each connection. */
const HOP_BY_HOP = new Set([
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

/** The headers that a proxy forwards: all except hop-by-hop headers and headers named in Connection. */
export function endToEnd(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.includes(name)),
  );
}
