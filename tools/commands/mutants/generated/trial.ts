/** Selects the checks that execute a mutant's code, and puts the checks that are likeliest to detect it first. */
import type { GeneratedMutant } from "./mutations.ts";
import type { CheckName, ReachedMutants } from "./tasks.ts";

/** The number of checks in the first two stages. One of the first few checks detects most mutants. */
const FIRST_STAGE = 4;
const SECOND_STAGE = 60;

/** Modules that cache results for the process, so that only the first check executes their code. */
const CACHING_MODULES: readonly string[] = ["http/validation.ts", "http/keywords.ts"];

interface Stages {
  /** True if the server's modules must be loaded again with the mutant. */
  readonly fresh: boolean;
  /** The check ids of each stage; empty if no check executes the mutant's code. */
  readonly stages: readonly (readonly string[])[];
}

export class TrialOrder {
  readonly #active: readonly string[];
  /** The checks of rate limits. They are slow, and detect only mutants of request handling. */
  readonly #last: readonly string[];
  readonly #passive: readonly string[];
  readonly #loading = new Set<string>();
  /** For each mutant, the checks that execute its code. */
  readonly #reachedBy = new Map<string, Set<string>>();
  /** For each check, the number of mutants whose code it executes. A check with a small number is specific. */
  readonly #breadth = new Map<string, number>();
  readonly #took = new Map<string, number>();
  readonly #kills: { readonly mutant: GeneratedMutant; readonly killer: string }[] = [];

  constructor(checks: readonly CheckName[], reaches: readonly ReachedMutants[]) {
    const ofKind = (wanted: CheckName["kind"]) =>
      checks.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    this.#active = ofKind("active");
    this.#last = ofKind("last");
    this.#passive = ofKind("passive");
    for (const { loading, by, took } of reaches) {
      for (const mutant of loading) this.#loading.add(mutant);
      for (const [check, mutants] of Object.entries(by)) {
        this.#breadth.set(check, mutants.length);
        for (const mutant of mutants) {
          const reachers = this.#reachedBy.get(mutant) ?? new Set<string>();
          this.#reachedBy.set(mutant, reachers.add(check));
        }
      }
      for (const [check, ms] of Object.entries(took)) this.#took.set(check, ms);
    }
  }

  of(mutant: GeneratedMutant): Stages {
    const isKept = CACHING_MODULES.includes(mutant.file);
    const fresh = isKept || this.#loading.has(mutant.id);
    const reachers = (!isKept && this.#reachedBy.get(mutant.id)) || new Set<string>();
    if (!fresh && reachers.size === 0) return { fresh, stages: [] };
    const seeing = mutant.file.startsWith("http/") ? [...this.#active, ...this.#last] : this.#active;
    const reaching = seeing.filter((check) => reachers.has(check));
    // Any check may detect a mutant in code that only runs when a module loads or the server starts.
    const able = reaching.length > 0 ? reaching : seeing;
    const points = new Map(able.map((check) => [check, this.#likelihood(check, mutant)]));
    const ordered = able.toSorted((a, b) => (points.get(b) ?? 0) - (points.get(a) ?? 0));
    const stages = [
      ordered.slice(0, FIRST_STAGE),
      ordered.slice(FIRST_STAGE, SECOND_STAGE),
      // The slowest check starts first, so that other checks run at the same time.
      [...ordered.slice(SECOND_STAGE).toSorted((a, b) => this.#time(b) - this.#time(a)), ...this.#passive],
    ];
    return { fresh, stages: stages.filter(({ length }) => length > 0) };
  }

  /** Records which check detected a mutant, because the same check often detects adjacent mutants. */
  learn(mutant: GeneratedMutant, killer: string): void {
    this.#kills.push({ mutant, killer });
  }

  #time(check: string): number {
    return this.#took.get(check) ?? 1_000;
  }

  #likelihood(check: string, mutant: GeneratedMutant): number {
    const nearby = this.#kills
      .filter(({ killer, mutant: { file } }) => killer === check && file === mutant.file)
      .reduce((sum, kill) => sum + 1 / (1 + Math.abs(kill.mutant.line - mutant.line)), 0);
    const narrow = 1 / (1 + (this.#breadth.get(check) ?? 1_000));
    return nearby + narrow + 5 / (50 + this.#time(check));
  }
}
