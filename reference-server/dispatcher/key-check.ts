/** Checks that the encryption key of webhook secrets matches the database. */
import { UnusableDatabase } from "../database/unusable.ts";
import type { Parts } from "../parts.ts";

const name = "sealing_check";

/** Throws if it doesn't, because no stored secret could be decrypted. */
export async function checkKey(parts: Parts): Promise<void> {
  const mine = parts.secretEncryption.encrypt(name, name);
  const kept = await parts.records.properties.keep(parts.database, name, mine);
  try {
    parts.secretEncryption.decrypt(kept, name);
  } catch {
    throw new UnusableDatabase(
      "WEBHOOK_KEY is not the key that this database's webhook secrets are encrypted with",
    );
  }
}
