/** A check of a frozen list, with the properties on which pipelines depend. */
export interface FrozenCheck {
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
export const frozenChecks = (text: string): readonly FrozenCheck[] =>
  text.split("\n").flatMap((line): FrozenCheck[] => {
    const { id, level, clauses, needs } = LINE.exec(line)?.groups ?? {};
    if (!id || !level || !clauses || !needs) return [];
    const weighed = [...clauses.matchAll(/(\S+) \((\w+)\)/g)].map(
      ([, clause = "", weight = ""]) => [clause, weight] as const,
    );
    return [{ id, level, clauses: new Map(weighed), needs: entries(needs) }];
  });
