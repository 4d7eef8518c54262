/** Sends raw bytes to a server, for requests that no HTTP client would send. */
import { connect, type Socket } from "node:net";

/** A response as received. */
interface WireAnswer {
  status: number;
  /** Names are in lower case. */
  headers: Record<string, string>;
  text: string;
}

export interface Wire {
  readonly socket: Socket;
  /** All responses until the server closes the connection. */
  readonly answers: Promise<WireAnswer[]>;
}

/** Opens a connection to the server at `url`, and sends these bytes. */
export function open(url: string, bytes: string | Buffer = ""): Wire {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, typeof chunk === "string" ? Buffer.from(chunk) : chunk]);
  });
  // A server that closes the connection during a request resets it.
  socket.on("error", () => {});
  if (bytes.length > 0) socket.write(bytes);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  return { socket, answers: closed.then(() => answersIn(received)) };
}

/** Sends these bytes, and waits until the server closes the connection. */
export function say(url: string, bytes: string | Buffer): Promise<WireAnswer[]> {
  return open(url, bytes).answers;
}

/** A request that asks the server to close the connection afterwards. */
export function request(line: string, headers: readonly string[] = [], body = ""): string {
  return [`${line} HTTP/1.1`, "Host: x", "Connection: close", ...headers, "", body].join("\r\n");
}

function answersIn(bytes: Buffer): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) throw new Error(`no answer: ${rest.toString("latin1").slice(0, 200)}`);
    const [first = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
    const headers = Object.fromEntries(lines.map((line) => headerIn(line)));
    const status = Number(first.split(" ")[1]);
    const length = status < 200 ? 0 : Number(headers["content-length"] ?? 0);
    const text = rest.subarray(end + 4, end + 4 + length).toString();
    answers.push({ status, headers, text });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}

function headerIn(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
