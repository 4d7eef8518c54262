/** Which checks are tried on a mutant, in which order: those that come to it, likely killers first. */
import type { GeneratedMutant } from "./mutations.ts";
import type { CheckName, Reached } from "./tasks.ts";

/** So many are tried before the rest: most mutants are killed by one of the first few. */
const LIKELIEST = 4;
const LIKELY = 60;

/** What they make is kept for as long as a process lives: which check comes to it first says nothing about the others. */
const KEEPING: readonly string[] = ["http/validation.ts", "http/keywords.ts"];

interface Stages {
  /** Whether modules have to be loaded anew for it. */
  readonly fresh: boolean;
  /** Empty where nothing comes to it. */
  readonly stages: readonly (readonly string[])[];
}

export class TrialOrder {
  readonly #experiments: readonly string[];
  /** They send thousands of requests, and see nothing but how these are counted, which is the way of a request's. */
  readonly #last: readonly string[];
  readonly #passive: readonly string[];
  readonly #loading = new Set<string>();
  /** Mutant → the checks that come to it. */
  readonly #reachedBy = new Map<string, Set<string>>();
  /** Check → how many mutants it comes to: one that comes to few is about them. */
  readonly #breadth = new Map<string, number>();
  readonly #took = new Map<string, number>();
  /** What killed what. */
  readonly #kills: { readonly mutant: GeneratedMutant; readonly killer: string }[] = [];

  constructor(checks: readonly CheckName[], reaches: readonly Reached[]) {
    const ofKind = (wanted: CheckName["kind"]) =>
      checks.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    this.#experiments = ofKind("experiment");
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
    const isKept = KEEPING.includes(mutant.file);
    const fresh = isKept || this.#loading.has(mutant.id);
    const reachers = (!isKept && this.#reachedBy.get(mutant.id)) || new Set<string>();
    if (!fresh && reachers.size === 0) return { fresh, stages: [] };
    const seeing = mutant.file.startsWith("http/")
      ? [...this.#experiments, ...this.#last]
      : this.#experiments;
    const reaching = seeing.filter((check) => reachers.has(check));
    // What only loading a module or starting a server comes to may show anywhere.
    const able = reaching.length > 0 ? reaching : seeing;
    const points = new Map(able.map((check) => [check, this.#likelihood(check, mutant)]));
    const ordered = able.toSorted((a, b) => (points.get(b) ?? 0) - (points.get(a) ?? 0));
    const stages = [
      ordered.slice(0, LIKELIEST),
      ordered.slice(LIKELIEST, LIKELY),
      // The long ones first, so that the others run meanwhile.
      [...ordered.slice(LIKELY).toSorted((a, b) => this.#time(b) - this.#time(a)), ...this.#passive],
    ];
    return { fresh, stages: stages.filter(({ length }) => length > 0) };
  }

  /** Neighbours tend to be killed by the same check. */
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
