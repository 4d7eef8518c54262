import { spawnSync } from "node:child_process";
import { NAME } from "../package.ts";

const VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/** The exit code of the command `verify` for an invalid report. */
const EXIT_INVALID = 1;

/**
 * Verifies a report with the version of the suite that wrote it. npx fetches that version.
 * @param folder the report's folder
 * @returns the problem in one line; undefined if there is none
 */
export function otherVersionProblem(folder: string, version: string): string | undefined {
  if (!VERSION.test(version)) return `its suite version, ${version}, isn't a valid version`;
  const args = ["--yes", "--package", `${NAME}@${version}`, "--", NAME, "verify", folder, "--no-color"];
  const { status, stdout, error } = spawnSync("npx", args, { encoding: "utf8" });
  if (error) return `npx can't be started to fetch ${NAME} ${version}: ${error.message}`;
  if (status === 0) return undefined;
  // npx exits with 1 too if it can't fetch the package, but prints nothing to stdout.
  const [first = ""] = status === EXIT_INVALID ? stdout.split("\n", 1) : [];
  return first === ""
    ? `${NAME} ${version}, which wrote the report, can't be fetched or can't read the report`
    : `${NAME} ${version}, which wrote the report, says: ${first}`;
}
