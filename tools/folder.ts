import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Creates a folder and its parents one by one, because Node's recursive mkdir never returns below /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}
