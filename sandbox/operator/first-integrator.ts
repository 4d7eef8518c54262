/**
 * The integrator that a sandbox starts with. Its credentials and pairing codes are derived from the key next
 * to the database, so they are the same at each start, and no secret is stored in plain text.
 */
import { createHmac } from "node:crypto";
import type { Tx } from "../../reference-server/database/schema.ts";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { addInbox } from "../console/commands.ts";
import { sandboxRecords } from "../records/sandbox.ts";

interface FirstCredentials {
  readonly client_id: string;
  readonly client_secret: string;
}

interface FirstIntegratorOptions {
  readonly credentials: FirstCredentials;
  /** The pairing code at this position in the order of issue. */
  codeAt(index: number): string;
  /** True if simulated couriers accept its deliveries. */
  readonly isSimulated: boolean;
  /** True if its events go to the console's inbox. */
  readonly hasInbox: boolean;
}

export interface FirstIntegrator extends FirstCredentials {
  /** Unused codes. */
  readonly pairing_codes: readonly string[];
  /** Codes that linked a restaurant in an earlier start. */
  readonly used_pairing_codes: readonly string[];
}

/** Number of unused codes. */
const readyCodes = 2;
const companyName = "Hızlı Kurye";
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** Derives a value from a key for a purpose. */
const drawn = (key: Buffer, purpose: string): Buffer =>
  createHmac("sha256", key).update(`sandbox: ${purpose}`).digest();

export const credentialsFrom = (key: Buffer): FirstCredentials => ({
  client_id: `ci_${drawn(key, "client_id").subarray(0, 12).toString("base64url")}`,
  client_secret: `cs_${drawn(key, "client_secret").toString("base64url")}`,
});

export const controlTokenFrom = (key: Buffer): string =>
  drawn(key, "control token").subarray(0, 24).toString("base64url");

export function pairingCodeFrom(key: Buffer, index: number): string {
  const bytes = [...drawn(key, `pairing code ${index}`).subarray(0, 12)];
  const text = bytes.map((byte) => letters[byte % letters.length]).join("");
  return text.replace(/(.{4})(?=.)/g, "$1-");
}

/** Creates the integrator and its codes, unless an earlier start did. */
export async function prepareFirstIntegrator(
  deps: Dependencies,
  { credentials, codeAt, isSimulated, hasInbox }: FirstIntegratorOptions,
): Promise<FirstIntegrator> {
  const { client_id, client_secret } = credentials;
  const known = await deps.records.integrators.findByClientId(deps.database, client_id);
  const id = known?.id ?? deps.ids.uuid();
  const secret_hash = deps.credentials.hash(client_secret);
  await deps.transaction(async (tx) => {
    if (known === undefined) {
      await deps.records.integrators.insert(tx, {
        id,
        client_id,
        secret_hash,
        kind: "integrator",
        closed_at: null,
        clock_offset_ms: 0,
        clock_frozen_at: null,
        clock_moved_by: null,
        trusts_receivers: 1,
        created_at: deps.clock.now(),
      });
    } else {
      await deps.records.integrators.setSecret(tx, id, secret_hash);
    }
  });
  const name = (await sandboxRecords.find(deps.database, id))?.name ?? "First integrator";
  await sandboxRecords.put(deps.database, {
    integrator_id: id,
    name,
    simulated: isSimulated ? 1 : 0,
  });
  if (known === undefined && hasInbox) await addInbox(deps, client_id);
  return { client_id, client_secret, ...(await codesOf(deps, codeAt)) };
}

/** The first unused codes, issued if needed. */
async function codesOf(
  deps: Dependencies,
  codeAt: (index: number) => string,
): Promise<Pick<FirstIntegrator, "pairing_codes" | "used_pairing_codes">> {
  return deps.transaction(async (tx) => {
    const [fresh, used]: [string[], string[]] = [[], []];
    for (let index = 0; fresh.length < readyCodes; index++) {
      const code = codeAt(index);
      (await isUsed(deps, tx, code)) ? used.push(code) : fresh.push(code);
    }
    return { pairing_codes: fresh, used_pairing_codes: used };
  });
}

/** True if the code was used. Issues a missing code. */
async function isUsed(deps: Dependencies, tx: Tx, code: string): Promise<boolean> {
  const { pairing, clocks } = deps.records;
  const code_hash = deps.credentials.hash(code);
  const known = await pairing.findCode(tx, code_hash);
  if (known !== undefined) return known.used_at !== null;
  const company = await pairing.companyNamed(tx, companyName, deps.ids.uuid());
  const restaurant = await pairing.restaurantNamed(tx, null, deps.ids.uuid());
  await pairing.insertCode(tx, {
    code_hash,
    company_id: company.id,
    restaurant_id: restaurant.id,
    issued_at: deps.clock.now(),
    advances_seen: await clocks.lastAdvance(tx),
    expires_in_ms: null,
    used_at: null,
  });
  return false;
}
