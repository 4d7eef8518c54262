/** Exits with 1 if a regular expression takes exponential time on some texts. */
import { join } from "node:path";
import { packageFolder } from "../../package.ts";
import { repositoryFiles } from "../documents.ts";
import { slowRegexps } from "./slow-regexps.ts";

const files = repositoryFiles().filter((path) => /\.[jt]s$/.test(path) && !path.includes("/generated/"));
const found = slowRegexps(files.map((path) => join(packageFolder, path)));
for (const place of found) console.error(`${place}: it takes exponential time on some texts`);
if (found.length > 0) process.exitCode = 1;
