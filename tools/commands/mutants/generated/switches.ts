/** The switches of instrumented code, and the loading of that code in the place of the original. */
import { registerHooks } from "node:module";

/** What instrumented code looks at; the names are the instrumenter's. */
interface Switches {
  /** The mutant that is on. */
  activeMutant?: string | undefined;
  /** By whom what is reached is counted; undefined while modules are loaded. */
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

declare global {
  var __stryker__: Switches | undefined;
}

/** So often no mutant is come to, but in a loop that doesn't end: there it throws. */
const MOST_HITS = 5_000_000;

const switches: Switches = {};
globalThis.__stryker__ = switches;

export function switchOn(mutant: string | undefined): void {
  switches.activeMutant = mutant;
  switches.hitCount = 0;
  switches.hitLimit = MOST_HITS;
}

/** Whether the mutant that is on made a loop that doesn't end. */
export const isEndless = (): boolean => (switches.hitCount ?? 0) > MOST_HITS;

/** Stands for what comes before the first check: a server's start, and a session's. */
export const BEGINNING = "(beginning)";

/** From now on what is reached counts for this one. */
export function countFor(reacher: string): void {
  switches.currentTestId = reacher;
}

/** The mutants that were reached: while modules were loaded, and by each that was counted for. */
export function reached(): { readonly loading: readonly string[]; readonly by: Record<string, string[]> } {
  const { static: loading = {}, perTest = {} } = switches.mutantCoverage ?? {};
  return {
    loading: Object.keys(loading),
    by: Object.fromEntries(Object.entries(perTest).map(([id, hits]) => [id, Object.keys(hits)])),
  };
}

const FRESH = "fresh";

/**
 * Loads these sources for the modules with their URLs from now on. A module that is asked for with `?fresh=…` is loaded
 * anew, and so is what it imports of the same folder.
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
