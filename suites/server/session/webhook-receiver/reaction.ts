import type { ServerResponse } from "node:http";

/** How the receiver reacts to an attempt. */
export type Reaction =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Closes the connection without a response. */
  | { readonly kind: "reset" }
  /** Keeps the connection open without a response. */
  | { readonly kind: "silent" }
  /** Responds with 200 and an endless body, one byte at a time. */
  | { readonly kind: "drip" }
  /** Responds with a body of this size. */
  | { readonly kind: "huge"; readonly status: number; readonly bytes: number }
  /** Reacts only after the promise has resolved. */
  | { readonly kind: "hold"; readonly until: Promise<void>; readonly reaction: Reaction };

export const answerWith = (status: number, headers: Readonly<Record<string, string>> = {}): Reaction => ({
  kind: "answer",
  status,
  headers,
});

/** The status of a reaction. Undefined for a reaction without a response. */
export function statusOf(reaction: Reaction): number | undefined {
  switch (reaction.kind) {
    case "answer":
    case "huge":
      return reaction.status;
    case "drip":
      return 200;
    case "hold":
      return statusOf(reaction.reaction);
    default:
      return undefined;
  }
}

/** A reaction's response, for failures. */
export const responseInWords = (reaction: Reaction): string =>
  reaction.kind === "hold"
    ? `${responseInWords(reaction.reaction)} after a wait`
    : String(statusOf(reaction) ?? "no response");

const DRIP_MS = 200;
const CHUNK = Buffer.alloc(65_536, 0x20);

/** Performs a reaction. An endless reaction stops when the connection is closed. */
export async function applyReaction(reaction: Reaction, response: ServerResponse): Promise<void> {
  switch (reaction.kind) {
    case "answer":
      response.writeHead(reaction.status, reaction.headers).end(reaction.body);
      return;
    case "reset":
      response.socket?.destroy();
      return;
    case "silent":
      return;
    case "drip": {
      response.writeHead(200);
      const timer = setInterval(() => response.write("."), DRIP_MS);
      response.once("close", () => clearInterval(timer));
      return;
    }
    case "huge": {
      response.writeHead(reaction.status);
      for (let sent = 0; sent < reaction.bytes && !response.destroyed; sent += CHUNK.length) {
        if (!response.write(CHUNK)) {
          await new Promise<void>((resolve) => {
            response.once("drain", resolve);
            response.once("close", resolve);
          });
        }
      }
      response.end();
      return;
    }
    case "hold":
      await reaction.until;
      return applyReaction(reaction.reaction, response);
  }
}
