/** Checks that the encryption key of webhook secrets matches the database. */
import { UnusableDatabase } from "../database/unusable.ts";
import type { Dependencies } from "../dependencies.ts";

const name = "sealing_check";

/** Throws if it doesn't, because no stored secret could be decrypted. */
export async function checkKey(deps: Dependencies): Promise<void> {
  const mine = deps.secretEncryption.encrypt(name, name);
  const kept = await deps.records.properties.keep(deps.database, name, mine);
  try {
    deps.secretEncryption.decrypt(kept, name);
  } catch {
    throw new UnusableDatabase(
      "WEBHOOK_KEY is not the key that this database's webhook secrets are encrypted with",
    );
  }
}
