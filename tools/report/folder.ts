import { closeSync, constants, lstatSync, openSync, readdirSync, readSync, rmdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeFolder } from "../folder.ts";
import { NAME } from "../package.ts";
import { UsageError } from "../usage-error.ts";

/** A report begins with the name of its suite. */
const HEAD_BYTES = 1024;
const MADE_BY_US = new RegExp(`"suite":\\s*\\{\\s*"name":\\s*"${NAME}"`);

/** True for a report of this suite, of any version. A link isn't one, whatever its target. */
function isOurReport(file: string): boolean {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return MADE_BY_US.test(head.toString("utf8", 0, readSync(opened, head)));
  } finally {
    closeSync(opened);
  }
}

const kindOf = (file: string) => {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return "nothing";
  if (found.isFile()) return "file";
  return found.isDirectory() ? "folder" : "link";
};

/** The contents of a report's folder. */
interface ReportFiles {
  /** The file that marks a folder as a report. */
  readonly marker: string;
  /** The names of all other files. */
  readonly names: readonly string[];
  /** The subfolder with a file per failure, and the extension of those files. */
  readonly ofFailures: { readonly folder: string; readonly ending: string };
}

/**
 * Creates a report's folder, or removes an earlier report from it. Other files are kept.
 * @throws UsageError if the folder has files but no report; nothing is changed then
 */
export function takeReportFolder(folder: string, { marker, names, ofFailures }: ReportFiles): void {
  makeFolder(resolve(folder));
  if (readdirSync(folder).length === 0) return;
  if (!isOurReport(join(folder, marker))) {
    throw new UsageError(
      `--report ${folder} holds files other than an earlier report of ${NAME}: give a new or an empty folder`,
    );
  }
  const failures = join(folder, ofFailures.folder);
  const files = [
    ...[marker, ...names].map((name) => join(folder, name)),
    ...(kindOf(failures) === "folder"
      ? readdirSync(failures)
          .filter((name) => name.endsWith(ofFailures.ending))
          .map((name) => join(failures, name))
      : []),
  ];
  const strange =
    files.find((file) => !["nothing", "file"].includes(kindOf(file))) ??
    (["nothing", "folder"].includes(kindOf(failures)) ? undefined : failures);
  if (strange !== undefined) {
    throw new UsageError(
      `--report ${folder} can't be used: ${strange} isn't part of a report; give another folder`,
    );
  }
  for (const file of files) rmSync(file, { force: true });
  if (kindOf(failures) === "folder" && readdirSync(failures).length === 0) rmdirSync(failures);
}
