import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../usage-error.ts";

/** Files by their path in the repository, as they were at one time. */
export type Files = ReadonlyMap<string, string>;

/** Everything that says what is judged, and how. */
const JUDGING = ["suites", "openapi/generated/clauses.json", "tools/testing/public-surface"] as const;
const isOfUse = (path: string): boolean => /\.(ts|txt|json)$/.test(path) && !path.endsWith(".test.ts");
const HERE = "run changes in a git checkout of the project";
const MOST_BYTES = 512 * 1024 * 1024;

function git(folder: string, args: readonly string[], input?: string): Buffer {
  return execFileSync("git", ["-C", folder, ...args], {
    maxBuffer: MOST_BYTES,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(input !== undefined && { input }),
  });
}

const commitOf = (folder: string, name: string): string | undefined => {
  try {
    return git(folder, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`])
      .toString()
      .trim();
  } catch {
    return undefined;
  }
};

/**
 * The commit that a person means: a version by its tag, or whatever git knows by that name.
 * @throws UsageError where there is neither such a commit nor a history
 */
export function resolveCommit(folder: string, name: string): string {
  const commit = commitOf(folder, `v${name}`) ?? commitOf(folder, name);
  if (commit !== undefined) return commit;
  if (commitOf(folder, "HEAD") === undefined) {
    throw new UsageError(`there is no history here: ${HERE}`);
  }
  throw new UsageError(
    `${name}: neither a version (there is no tag v${name}) nor a commit; git tag and git log show what there is`,
  );
}

/** The answers of `git cat-file --batch` to as many paths, each a line with the size and as many bytes. */
function* batchContents(batch: Buffer): Generator<string> {
  for (let at = 0; at < batch.length; ) {
    const end = batch.indexOf("\n", at);
    const size = Number(batch.subarray(at, end).toString().split(" ").at(-1));
    yield batch.subarray(end + 1, end + 1 + size).toString();
    at = end + 1 + size + 1;
  }
}

/**
 * The files of a commit.
 * @throws UsageError for a commit of something else, as where the package is installed within another project
 */
export function filesAt(folder: string, commit: string): Files {
  const paths = git(folder, ["ls-tree", "-r", "-z", "--name-only", commit, "--", ...JUDGING])
    .toString()
    .split("\0")
    .filter(isOfUse);
  if (!paths.includes("suites/check-ids.txt")) throw new UsageError(`${commit} holds no suites: ${HERE}`);
  const batch = git(folder, ["cat-file", "--batch"], paths.map((path) => `${commit}:${path}\n`).join(""));
  const contents = [...batchContents(batch)];
  return new Map(paths.map((path, index) => [path, contents[index] ?? ""]));
}

/** The files as they are. */
export function presentFiles(folder: string): Files {
  const paths = globSync(
    JUDGING.flatMap((place) => [place, `${place}/**/*`]),
    { cwd: folder },
  ).filter(isOfUse);
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}
