/** Verifies sample events with the standardwebhooks package: `node verify.ts samples/*.json`. */
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

interface Sample {
  readonly secret: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Returns true for a genuine event of the last five minutes. A receiver passes the bytes as received. */
function isGenuine({ secret, headers, body }: Sample): boolean {
  const bytes = Buffer.from(body);
  try {
    // The package decodes the body and reads the timestamp leniently before it verifies either.
    if (!isUtf8(bytes)) return false;
    if (!/^\d+$/.test(headers["webhook-timestamp"] ?? "")) return false;
    new Webhook(secret).verify(bytes, headers);
    return true;
  } catch {
    return false;
  }
}

const files = process.argv.slice(2);
const refused = files.filter((file) => !isGenuine(JSON.parse(readFileSync(file, "utf8"))));
console.log(`${files.length - refused.length} genuine, ${refused.length} refused: ${refused.join(" ")}`);
process.exitCode = refused.length === 0 ? 0 : 1;
