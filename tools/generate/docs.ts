import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { clientSuite } from "../../suites/client/suite.ts";
import { readLedger } from "../../suites/core/contract/ledger.ts";
import { receiverSuite } from "../../suites/receiver/suite.ts";
import { serverSuite } from "../../suites/server/suite.ts";
import type { ApiDocument } from "./docs/document.ts";
import { type PageSource, renderReference } from "./docs/page.ts";

/** What the reference page is made from: the document, the ledger, and the checks of all suites. */
export async function referenceSource(): Promise<PageSource> {
  const file = new URL("../../openapi/generated/courier-dispatch.json", import.meta.url);
  const document: ApiDocument = JSON.parse(await readFile(file, "utf8"));
  const checks = [serverSuite(), receiverSuite(), clientSuite()].flatMap((suite) => suite.checks);
  return { document, ledger: readLedger(), checks };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = fileURLToPath(new URL("../../docs/api.html", import.meta.url));
  await writeFile(path, renderReference(await referenceSource()));
  process.stdout.write(`${path}\n`);
}
