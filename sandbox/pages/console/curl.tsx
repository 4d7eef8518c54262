/** Requests as curl lines, for the shell and for `npm run webhook`. */
import { CopyButton } from "./code.tsx";

interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Headers that curl or the connection sets. */
const left = ["host", "connection", "content-length", "accept-encoding", "user-agent", "transfer-encoding"];

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A hidden token is shown as `$TOKEN`. */
const headerOf = (name: string, value: string) =>
  name === "authorization" && value.includes("[redacted]")
    ? '-H "authorization: Bearer $TOKEN"'
    : `-H ${quoted(`${name}: ${value}`)}`;

function curlOf({ method, url, headers, body }: SentRequest): string {
  const given = Object.entries(headers).filter(([name]) => !left.includes(name.toLowerCase()));
  return [
    "curl",
    ...(method === "GET" ? [] : ["-X", method]),
    quoted(url),
    ...given.map(([name, value]) => headerOf(name.toLowerCase(), value)),
    ...(body === null ? [] : ["--data-raw", quoted(body)]),
  ].join(" ");
}

export const CopyAsCurl = (request: SentRequest) => (
  <CopyButton text={curlOf(request)} words="Copy as curl" />
);
