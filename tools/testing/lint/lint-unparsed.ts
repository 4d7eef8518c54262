/**
 * Exits with 1 if grading or reporting code converts a value of unknown type to text without `textOf` or
 * `numberOf`.
 */
import { join } from "node:path";
import { packageFolder } from "../../package.ts";
import { repositoryFiles } from "../documents.ts";
import { unparsedValues } from "./unparsed-values.ts";

/** Code that handles a target's values, which the project's own servers, receivers, clients and development tools don't. */
const READ =
  /^(suites\/(core|engine)\/|suites\/(server|receiver|client)\/(?!mutants\/|variants|reference-|independent-server\/|pact\/)|tools\/(certification|report|results|terminal|versions)\/|tools\/[\w-]+\.ts$|tools\/commands\/(?!(bench|fuzz|mutants|samples|serve)\/))/;

const files = repositoryFiles().filter(
  (path) => path.endsWith(".ts") && READ.test(path) && !/\.test\.ts$|\/testing\//.test(path),
);
const found = unparsedValues(
  files.map((path) => join(packageFolder, path)),
  join(packageFolder, "tsconfig.json"),
);
for (const place of found) console.error(`${place}: its type is unknown; write textOf(…) or numberOf(…)`);
if (found.length > 0) process.exitCode = 1;
