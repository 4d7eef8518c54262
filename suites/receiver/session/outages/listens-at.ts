import { connect } from "node:net";

const CONNECT_MS = 1_000;

/** True if a process accepts connections at the URL's address. */
export function listensAt(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port) || (protocol === "https:" ? 443 : 80),
      timeout: CONNECT_MS,
    });
    const end = (listens: boolean) => {
      socket.destroy();
      resolve(listens);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}
