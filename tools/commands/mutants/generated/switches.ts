/** Sets the switches of the instrumented code, and loads this code instead of the original. */
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

/** Code that runs more often is in an endless loop. The instrumented code then throws an error. */
const MAX_HITS = 5_000_000;

const switches: Switches = {};
globalThis.__stryker__ = switches;

export function switchOn(mutant: string | undefined): void {
  switches.activeMutant = mutant;
  switches.hitCount = 0;
  switches.hitLimit = MAX_HITS;
}

/** True if the active mutant caused an endless loop. */
export const isEndless = (): boolean => (switches.hitCount ?? 0) > MAX_HITS;

/** The name under which code is counted that runs before the first check, when server and session start. */
export const BEGINNING = "(beginning)";

/** From now on, counts executed code for this check, or for BEGINNING. */
export function countFor(reacher: string): void {
  switches.currentTestId = reacher;
}

/** The mutants whose code ran while modules loaded, and those whose code ran during each check. */
export function reached(): { readonly loading: readonly string[]; readonly by: Record<string, string[]> } {
  const { static: loading = {}, perTest = {} } = switches.mutantCoverage ?? {};
  return {
    loading: Object.keys(loading),
    by: Object.fromEntries(Object.entries(perTest).map(([id, hits]) => [id, Object.keys(hits)])),
  };
}

const FRESH = "fresh";

/**
 * From now on, loads these sources for the modules with these URLs. A module imported with `?fresh=…` is loaded again,
 * with its imports from the same folder.
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
