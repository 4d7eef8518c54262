/** Tests whether the encryption key of webhook secrets is the database's. */
import { UnusableDatabase } from "../database/unusable.ts";
import type { Dependencies } from "../dependencies.ts";

const name = "sealing_check";

/** Throws if another key encrypted the stored secrets. */
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
