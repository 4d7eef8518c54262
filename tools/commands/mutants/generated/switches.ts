/** Sets the switches of instrumented code, and loads that code instead of the original. */
import { registerHooks } from "node:module";

/** The global object that instrumented code reads. Stryker's instrumenter defines the names. */
interface Switches {
  /** The active mutant. */
  activeMutant?: string | undefined;
  /** The check that executed code is counted for; undefined while modules load. */
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

declare global {
  var __stryker__: Switches | undefined;
}

/** Only code in an endless loop runs this often. Beyond it, the instrumented code throws. */
const MOST_HITS = 5_000_000;

const switches: Switches = {};
globalThis.__stryker__ = switches;

export function switchOn(mutant: string | undefined): void {
  switches.activeMutant = mutant;
  switches.hitCount = 0;
  switches.hitLimit = MOST_HITS;
}

/** True if the active mutant caused an endless loop. */
export const isEndless = (): boolean => (switches.hitCount ?? 0) > MOST_HITS;

/** Counts code that runs before the first check, when server and session start. */
export const BEGINNING = "(beginning)";

/** Counts executed code for this check from now on. */
export function countFor(reacher: string): void {
  switches.currentTestId = reacher;
}

/** The executed mutants: while modules loaded, and by check. */
export function reached(): { readonly loading: readonly string[]; readonly by: Record<string, string[]> } {
  const { static: loading = {}, perTest = {} } = switches.mutantCoverage ?? {};
  return {
    loading: Object.keys(loading),
    by: Object.fromEntries(Object.entries(perTest).map(([id, hits]) => [id, Object.keys(hits)])),
  };
}

const FRESH = "fresh";

/**
 * Replaces the source of modules with these URLs from now on. A module imported with `?fresh=…` is loaded again, and so
 * are its imports from the same folder.
 */
export function loadInstead(sources: ReadonlyMap<string, string>, folder: string): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const parent = context.parentURL === undefined ? null : new URL(context.parentURL);
      const fresh = parent?.searchParams.get(FRESH);
      if (!fresh || !found.url.startsWith(folder) || found.url.includes("?")) return found;
      return { ...found, url: `${found.url}?${FRESH}=${fresh}` };
    },
    load(url, context, next) {
      const [plain = url] = url.split("?", 1);
      const source = sources.get(plain);
      return source === undefined
        ? next(url, context)
        : { format: "module-typescript", source, shortCircuit: true };
    },
  });
}

export const freshUrl = (url: string, which: string): string => `${url}?${FRESH}=${which}`;
