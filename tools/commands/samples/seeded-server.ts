/** A reference server whose clock stands at a given time and whose ids follow from a seed: it sends the same each time. */
import { createHash } from "node:crypto";
import { type RunningServer, startReferenceServer } from "../../../reference-server/embedded.ts";

/** Where its webhooks would go. No request leaves the process; `.test` names belong to nobody. */
export const HOOKS_ORIGIN = "https://pos.test";
const TRACKING_KEY_CHARS = 22;

interface SeededServer {
  readonly server: RunningServer;
  /** Bodies of the webhooks that were sent so far. */
  readonly sent: readonly string[];
}

/** @param startsAt in milliseconds since 1970; time passes by the control interface alone */
export async function startSeededServer(startsAt: number, seed: string): Promise<SeededServer> {
  const sent: string[] = [];
  let drawn = 0;
  const digest = () => createHash("sha256").update(`${seed} ${drawn++}`).digest();
  const server = await startReferenceServer({
    publicUrl: "https://dispatch.test",
    trustedOrigins: [HOOKS_ORIGIN],
    mutate: (parts) => ({
      ...parts,
      clock: { ...parts.clock, now: () => startsAt },
      ids: {
        ...parts.ids,
        uuid: () => uuidFrom(digest()),
        trackingKey: () => digest().toString("base64url").slice(0, TRACKING_KEY_CHARS),
        pin: () => String(digest().readUInt16BE() % 10_000).padStart(4, "0"),
      },
      transport: {
        ...parts.transport,
        async post(_parts, { body }) {
          sent.push(body);
          return { status: 204, location: undefined };
        },
      },
    }),
  });
  return { server, sent };
}

/** A UUID of version 4 in form, of these bytes. */
function uuidFrom(bytes: Buffer): string {
  const hex = [...bytes.subarray(0, 16)]
    .map((byte, index) => (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte))
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
