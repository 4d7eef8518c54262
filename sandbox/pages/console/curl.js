/** Requests as curl lines, for the shell and for `npm run webhook`. */
import { h } from "/pages/shared/dom.js";
import { act } from "./polling.js";

/** What curl or the connection says by itself. */
const left = ["host", "connection", "content-length", "accept-encoding", "user-agent", "transfer-encoding"];

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * What the console doesn't show of a request stands as `$TOKEN`, for the shell to fill in.
 * @param {string} name
 * @param {string} value
 */
const headerOf = (name, value) =>
  name === "authorization" && value.includes("[redacted]")
    ? '-H "authorization: Bearer $TOKEN"'
    : `-H ${quoted(`${name}: ${value}`)}`;

/**
 * @param {{ method: string, url: string, headers: Record<string, string>, body: string | null }} request
 */
export function curlOf({ method, url, headers, body }) {
  const given = Object.entries(headers).filter(([name]) => !left.includes(name.toLowerCase()));
  return [
    "curl",
    ...(method === "GET" ? [] : ["-X", method]),
    quoted(url),
    ...given.map(([name, value]) => headerOf(name.toLowerCase(), value)),
    ...(body === null ? [] : ["--data-raw", quoted(body)]),
  ].join(" ");
}

/** @param {Parameters<typeof curlOf>[0]} request */
export function copyAsCurl(request) {
  const copy = () => void act("Copied as curl", () => navigator.clipboard.writeText(curlOf(request)));
  return h("button", { type: "button", key: "curl", onclick: copy }, "Copy as curl");
}
