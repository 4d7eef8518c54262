import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../package.ts";
import { UsageError } from "../usage-error.ts";

/** A check of a frozen list, with the properties on which pipelines depend. */
interface FrozenCheck {
  readonly id: string;
  readonly level: string;
  /** The clauses that it verifies, with their levels (MUST, SHOULD). */
  readonly clauses: ReadonlyMap<string, string>;
  readonly needs: readonly string[];
}

const LINE = /^(?<id>\S+): (?<level>[\w-]+); (?<clauses>[^;]+); needs (?<needs>.+)$/;

const NONE = "nothing in particular";

const entries = (text: string): readonly string[] => text.split(", ").filter((entry) => entry !== NONE);

/** The checks of a frozen list (tools/testing/public-surface/list-*.txt, or one of a released version), a line each. */
const frozenChecks = (text: string): readonly FrozenCheck[] =>
  text.split("\n").flatMap((line): FrozenCheck[] => {
    const { id, level, clauses, needs } = LINE.exec(line)?.groups ?? {};
    if (!id || !level || !clauses || !needs) return [];
    const weighed = [...clauses.matchAll(/(\S+) \((\w+)\)/g)].map(
      ([, clause = "", weight = ""]) => [clause, weight] as const,
    );
    return [{ id, level, clauses: new Map(weighed), needs: entries(needs) }];
  });

/** The frozen checks of a minor version. They don't change in its patch releases. */
export interface Version {
  readonly name: string;
  /** The checks of all suites by id. */
  readonly checks: ReadonlyMap<string, FrozenCheck>;
}

const numbers = (name: string): readonly number[] => name.split(".").map(Number);
const majorOf = (name: string): number => numbers(name)[0] ?? 0;

/** The minor version: `0.1` for `0.1.3`. */
export const minorOf = (version: string): string => version.split(".").slice(0, 2).join(".");

/** The current minor version, released or not. */
export const PRESENT_VERSION: string = minorOf(VERSION);

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
    .toSorted((one, other) => {
      const [[major = 0, minor = 0], [otherMajor = 0, otherMinor = 0]] = [numbers(one), numbers(other)];
      return major - otherMajor || minor - otherMinor;
    })
    .map((name) => versionOf(name, readFileSync(join(folder, `${name}.txt`), "utf8")));
}

const earlierThan = (present: string, released: readonly Version[]): readonly Version[] =>
  released.filter(({ name }) => name !== present);

/**
 * The version that introduced each check: the first release that has it, or the current version.
 * @param released the released versions, oldest first
 */
export function sinceVersions(
  released: readonly Version[] = releasedVersions(),
  present: string = PRESENT_VERSION,
): (id: string) => string {
  return (id) => earlierThan(present, released).find(({ checks }) => checks.has(id))?.name ?? present;
}

/** The alternative to a version number for --as-of. */
const PREVIOUS = "previous";

/**
 * The version to judge as; undefined for the current one.
 * @param wanted `0.1`, a patch of it, or `previous`, which is the preceding minor version of the same major
 * version
 * @throws UsageError that names the source and the existing versions
 */
export function asOfVersion(
  wanted: string,
  {
    from = "--as-of",
    released = releasedVersions(),
    present = PRESENT_VERSION,
  }: { readonly from?: string; readonly released?: readonly Version[]; readonly present?: string } = {},
): Version | undefined {
  const earlier = earlierThan(present, released);
  if (wanted === PREVIOUS) return earlier.findLast(({ name }) => majorOf(name) === majorOf(present));
  const name = /^\d+\.\d+(\.\d+)?$/.test(wanted) ? minorOf(wanted) : wanted;
  const found = earlier.find((version) => version.name === name);
  if (found !== undefined || name === present) return found;
  const known = [...earlier.map((version) => version.name), `${present} (this one)`].join(", ");
  throw new UsageError(`${from} ${wanted}: there is no such version; there are ${known} and ${PREVIOUS}`);
}
