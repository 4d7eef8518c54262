import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../package.ts";
import { UsageError } from "../usage-error.ts";

/** A check as it was in a released version, with the properties on which pipelines depend. */
interface FrozenCheck {
  readonly id: string;
  readonly level: string;
  /** The clauses that the check verifies, each with MUST or SHOULD. */
  readonly clauses: ReadonlyMap<string, string>;
  readonly needs: readonly string[];
}

const LINE = /^(?<id>\S+): (?<level>[\w-]+); (?<clauses>[^;]+); needs (?<needs>.+)$/;

const NO_NEEDS = "nothing in particular";

const entries = (text: string): readonly string[] => text.split(", ").filter((entry) => entry !== NO_NEEDS);

/** Parses a list with a check on each line, such as tools/testing/public-surface/list-conform.txt. */
const frozenChecks = (text: string): readonly FrozenCheck[] =>
  text.split("\n").flatMap((line): FrozenCheck[] => {
    const { id, level, clauses, needs } = LINE.exec(line)?.groups ?? {};
    if (!id || !level || !clauses || !needs) return [];
    const clauseLevels = [...clauses.matchAll(/(\S+) \((\w+)\)/g)].map(
      ([, clause = "", clauseLevel = ""]) => [clause, clauseLevel] as const,
    );
    return [{ id, level, clauses: new Map(clauseLevels), needs: entries(needs) }];
  });

/** A minor version, whose checks don't change in its patch releases. */
export interface Version {
  readonly name: string;
  /** The checks of all suites, by id. */
  readonly checks: ReadonlyMap<string, FrozenCheck>;
}

const numbersOf = (name: string): readonly number[] => name.split(".").map(Number);
const majorOf = (name: string): number => numbersOf(name)[0] ?? 0;

/** The minor version: `0.1` for `0.1.3`. */
export const minorOf = (version: string): string => version.split(".").slice(0, 2).join(".");

/** The current minor version, released or not. */
export const CURRENT_VERSION: string = minorOf(VERSION);

export const versionOf = (name: string, lists: string): Version => ({
  name,
  checks: new Map(frozenChecks(lists).map((check) => [check.id, check])),
});

const FROZEN = /^(\d+\.\d+)\.txt$/;
const folder = fileURLToPath(new URL("released", import.meta.url));

/** The released minor versions, oldest first. */
export function releasedVersions(): readonly Version[] {
  const names = readdirSync(folder).flatMap((file) => FROZEN.exec(file)?.[1] ?? []);
  return names
    .toSorted((first, second) => {
      const [[major = 0, minor = 0], [otherMajor = 0, otherMinor = 0]] = [
        numbersOf(first),
        numbersOf(second),
      ];
      return major - otherMajor || minor - otherMinor;
    })
    .map((name) => versionOf(name, readFileSync(join(folder, `${name}.txt`), "utf8")));
}

const without = (current: string, released: readonly Version[]): readonly Version[] =>
  released.filter(({ name }) => name !== current);

/**
 * The version that introduced each check: the first release that has it, or the current version.
 * @param released the released versions, oldest first
 */
export function sinceVersions(
  released: readonly Version[] = releasedVersions(),
  current: string = CURRENT_VERSION,
): (id: string) => string {
  return (id) => without(current, released).find(({ checks }) => checks.has(id))?.name ?? current;
}

/** The value of --as-of that isn't a number. */
const PREVIOUS = "previous";

/**
 * The version whose rules apply; undefined for the current version.
 * @param wanted `0.1`, a patch version such as `0.1.3`, or `previous`: the preceding minor version of the same major
 * version
 * @throws UsageError that names the source and the existing versions
 */
export function asOfVersion(
  wanted: string,
  {
    from = "--as-of",
    released = releasedVersions(),
    current = CURRENT_VERSION,
  }: { readonly from?: string; readonly released?: readonly Version[]; readonly current?: string } = {},
): Version | undefined {
  const earlier = without(current, released);
  if (wanted === PREVIOUS) return earlier.findLast(({ name }) => majorOf(name) === majorOf(current));
  const name = /^\d+\.\d+(\.\d+)?$/.test(wanted) ? minorOf(wanted) : wanted;
  const found = earlier.find((version) => version.name === name);
  if (found !== undefined || name === current) return found;
  const known = [...earlier.map((version) => version.name), `${current} (this version)`].join(", ");
  throw new UsageError(`${from} ${wanted}: there is no such version; choose ${known} or ${PREVIOUS}`);
}
