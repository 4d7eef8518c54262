import { CLAUSE_LEVELS, LEVELS } from "../../../suites/core/contract/claims.ts";
import { packageFolder } from "../../package.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { didYouMean, Edits, LEDGER, readClauses, say } from "./edits.ts";
import * as template from "./templates.ts";

export interface NewClauseFlags {
  level: string;
  claim?: string;
  section?: string;
}

/** A clause's id is its group and a number. */
const groupOf = (id: string): string => id.slice(0, id.lastIndexOf("-"));
const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf("-") + 1));

/**
 * Adds a clause after the last one of its group, with the next number.
 * @throws UsageError for a group, a level or a claim that there isn't
 */
export function newClause(
  group: string,
  text: string,
  flags: NewClauseFlags,
  output: Output,
  folder: string = packageFolder,
): number {
  const edits = new Edits(folder);
  const clauses = readClauses(edits);
  const own = clauses.filter(({ id }) => groupOf(id) === group);
  const last = own.at(-1);
  if (!last) {
    const groups = [...new Set(clauses.map(({ id }) => groupOf(id)))];
    throw new UsageError(
      `there is no group ${group}${didYouMean(group, groups)} There are: ${groups.join(", ")}`,
    );
  }
  const levels: readonly string[] = CLAUSE_LEVELS;
  if (!levels.includes(flags.level))
    throw new UsageError(`--level takes ${levels.join(", ")}, not ${flags.level}`);
  const known: readonly string[] = LEVELS[last.subject];
  const claim = flags.claim ?? last.claim;
  if (!known.includes(claim))
    throw new UsageError(`--claim of a ${last.subject} takes ${known.join(", ")}, not ${claim}`);
  if (text.trim() === "") throw new UsageError("a clause takes its text: one testable fact, as a sentence");
  const id = `${group}-${Math.max(...own.map((clause) => numberOf(clause.id))) + 1}`;
  const ledger = edits.read(LEDGER);
  const begin = ledger.indexOf(`  - id: ${last.id}\n`) + 1;
  const at = begin + ledger.slice(begin).search(/^( {2}- id: |[a-z_]+:)/m);
  const section = flags.section ?? last.section;
  const entry = template.clauseOf({
    ...last,
    id,
    text,
    claim,
    level: flags.level,
    section,
  });
  edits.write(LEDGER, ledger.slice(0, at) + entry + ledger.slice(at));
  return say(output, edits.save(), [
    `See in ${LEDGER} whether it is of the right place: it stands under "${section}" and is verified at level ${claim}${flags.section === undefined || flags.claim === undefined ? `, as ${last.id} is` : ""}`,
    "Read the specification's sentence once more: is it plain (MUST), a recommendation (SHOULD), or open (an open point)?",
    `npm run new -- check GROUP.WHAT-IT-SHOWS --clause ${id}`,
    `or give the clause an excluded: with the reason why no check can verify it`,
  ]);
}
