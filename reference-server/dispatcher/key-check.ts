/** Tests whether WEBHOOK_KEY is the key that encrypted the webhook secrets in the database. */
import { UnusableDatabase } from "../database/unusable.ts";
import type { Dependencies } from "../dependencies.ts";

const name = "sealing_check";

/** Stores a known encrypted text on the first start. Throws if that text was encrypted with a different key. */
export async function checkKey(deps: Dependencies): Promise<void> {
  const encrypted = deps.secretEncryption.encrypt(name, name);
  const stored = await deps.records.properties.keep(deps.database, name, encrypted);
  try {
    deps.secretEncryption.decrypt(stored, name);
  } catch {
    throw new UnusableDatabase(
      "WEBHOOK_KEY is not the key that this database's webhook secrets are encrypted with",
    );
  }
}
