/** Ends with 1 where what grades or reports turns a value of unknown type into text without `textOf` or `numberOf`. */
import { join } from "node:path";
import { packageFolder } from "../../package.ts";
import { repositoryFiles } from "../documents.ts";
import { unparsedValues } from "./unparsed-values.ts";

/** What handles a stranger's values; what is our own server, receiver or client, or only of use to us, doesn't. */
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
