/** A reference server with a fixed clock and seeded ids, so that it sends the same events each time. */
import { createHash } from "node:crypto";
import { type RunningServer, startReferenceServer } from "../../../reference-server/embedded.ts";

/** The origin of the webhooks. No request leaves the process. */
export const HOOKS_ORIGIN = "https://pos.test";
const TRACKING_KEY_CHARS = 22;

interface SeededServer {
  readonly server: RunningServer;
  /** The bodies of all webhooks sent so far. */
  readonly sent: readonly string[];
}

/** @param startsAt the clock's start, as Unix time in milliseconds. Only the control interface advances the clock */
export async function startSeededServer(startsAt: number, seed: string): Promise<SeededServer> {
  const sent: string[] = [];
  let drawn = 0;
  const digest = () => createHash("sha256").update(`${seed} ${drawn++}`).digest();
  const server = await startReferenceServer({
    publicUrl: "https://dispatch.test",
    trustedOrigins: [HOOKS_ORIGIN],
    mutate: (deps) => ({
      ...deps,
      clock: { ...deps.clock, now: () => startsAt },
      ids: {
        ...deps.ids,
        uuid: () => uuidFrom(digest()),
        trackingKey: () => digest().toString("base64url").slice(0, TRACKING_KEY_CHARS),
        pin: () => String(digest().readUInt16BE() % 10_000).padStart(4, "0"),
      },
      transport: {
        ...deps.transport,
        async post(_deps, { body }) {
          sent.push(body);
          return { status: 204, location: undefined };
        },
      },
    }),
  });
  return { server, sent };
}

/** A version 4 UUID made of these bytes. */
function uuidFrom(bytes: Buffer): string {
  const hex = [...bytes.subarray(0, 16)]
    .map((byte, index) => (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte))
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
