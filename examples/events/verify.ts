/** Verifies sample events with the standardwebhooks package: `node verify.ts samples/*.json`. */
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

interface Sample {
  readonly secret: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Whether the service sent this a moment ago. */
function isGenuine({ secret, headers, body }: Sample): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

const files = process.argv.slice(2);
const forged = files.filter((file) => !isGenuine(JSON.parse(readFileSync(file, "utf8"))));
console.log(`${files.length - forged.length} genuine, ${forged.length} not: ${forged.join(" ")}`);
process.exitCode = forged.length === 0 ? 0 : 1;
