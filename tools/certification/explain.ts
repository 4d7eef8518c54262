import { commandWith } from "../../suites/core/command-line.ts";
import { readClauseList } from "../../suites/core/contract/clause-list.ts";
import type { Suite, SuiteCheck } from "../../suites/core/grading/suite.ts";
import type { GuidanceByGroup } from "../../suites/core/guidance.ts";
import { type Catchable, mutantsCaughtBy } from "../../suites/core/mutation/catching.ts";
import { nearest } from "../nearest.ts";
import { UsageError } from "../usage-error.ts";
import { sinceVersions } from "../versions/versions.ts";
import { checkData, clauseData } from "./catalogue.ts";

type Faults = Readonly<Record<string, Catchable & { readonly fault: string }>>;

/** The sources of an explanation, in addition to the suite. */
export interface ExplanationSource {
  readonly guidance: GuidanceByGroup;
  /** The mutants with their faults in words. */
  faults(): Promise<Faults>;
  /** The exchanges of a check with a conforming target, as lines; empty if the check sends no requests. */
  exampleRun(id: string): Promise<readonly string[]>;
}

const WIDTH = 108;

function wrapped(text: string, first = "    ", rest = "    "): string {
  const lines: string[] = [];
  let current = first;
  for (const word of text.split(/\s+/)) {
    if (current.length + word.length + 1 > WIDTH && current.trim() !== "") {
      lines.push(current.trimEnd());
      current = rest;
    }
    current += `${word} `;
  }
  return [...lines, current.trimEnd()].join("\n");
}

const bullet = (text: string): string => wrapped(text, "    - ", "      ");

function clauseLines(suite: Suite, clause: Suite["clauses"][number]): readonly string[] {
  const { parts } = readClauseList();
  return [
    wrapped(
      `${clause.id} (${clause.level}, level ${clause.claim}; the specification's part "${parts[clause.part] ?? clause.part}", under "${clause.section}"): ${clause.text}`,
      "    ",
      "      ",
    ),
    ...(clause.excluded === undefined ? [] : [wrapped(`No check: ${clause.excluded}`)]),
    ...suite.declarations
      .filter(({ clauses }) => clauses.includes(clause.id))
      .map(({ name, text }) => wrapped(`Not applicable --without ${name}: ${text}`)),
    ...suite.checks
      .filter(({ clauses }) => clauses.includes(clause.id))
      .map(({ id, title }) => wrapped(`${id}: ${title}`, "      ← ", "        ")),
  ];
}

/** The faults that a check catches, in words. */
const faultsCaughtBy = (check: SuiteCheck, faults: Faults): readonly string[] =>
  mutantsCaughtBy(check, faults).flatMap((id) => faults[id]?.fault ?? []);

/** The guidance for a check's group: the part of its id before the dot. */
const guidanceOf = (guidance: GuidanceByGroup, id: string) => guidance[id.split(".")[0] ?? ""];

async function explainCheck(suite: Suite, check: SuiteCheck, source: ExplanationSource): Promise<string> {
  const guidance = guidanceOf(source.guidance, check.id);
  const [faults, sent] = await Promise.all([source.faults(), source.exampleRun(check.id)]);
  const clauses = suite.clauses.filter(({ id }) => check.clauses.includes(id));
  return [
    check.id,
    wrapped(`${check.title}.`),
    `    Since version ${sinceVersions()(check.id)}.`,
    "",
    "  What the specification says",
    ...clauses.map((clause) => clauseLines(suite, clause)[0] ?? ""),
    "",
    "  Why it matters",
    wrapped(guidance?.why ?? ""),
    "",
    "  What is sent",
    ...(sent.length === 0
      ? [bullet("no requests of its own: it verifies all requests and responses of the run")]
      : sent.map((text) => `    ${text}`)),
    "",
    "  What passes",
    bullet(
      check.severity === "MUST"
        ? "everything that meets these clauses; they leave other behaviour open"
        : "everything that meets these clauses; a violation is a warning, and fails only with --strict",
    ),
    "",
    "  What fails, for example",
    ...faultsCaughtBy(check, faults).map(bullet),
    "",
    "  Common causes",
    ...(guidance?.causes ?? []).map(bullet),
    "",
    "  What it needs",
    bullet(check.needs.join(", ") || "nothing in particular"),
    "",
    "  To repeat it alone",
    `    ${suite.command} --only ${check.id}`,
  ].join("\n");
}

/** @throws UsageError for an unknown id */
function find(suite: Suite, id: string) {
  const clause = suite.clauses.find((item) => item.id === id);
  if (clause) return { clause };
  const check = suite.checks.find((item) => item.id === id);
  if (check) return { check };
  const otherSuitesClause = readClauseList().clauses.find((item) => item.id === id);
  if (otherSuitesClause) {
    throw new UsageError(
      `--explain ${id}: a clause for a ${otherSuitesClause.subject}; use ${commandWith(otherSuitesClause.subject === "server" ? "conform" : otherSuitesClause.subject, "--explain", id)}`,
    );
  }
  const meant = nearest(id, [
    ...suite.checks.map((item) => item.id),
    ...suite.clauses.map((item) => item.id),
  ]);
  throw new UsageError(
    `--explain ${id}: no check and no clause has this id${meant ? `; did you mean ${meant}?` : ""} (--list shows all)`,
  );
}

/**
 * The explanation of {@link explain} as data.
 * @throws UsageError for an unknown id
 */
export async function explanationData(suite: Suite, id: string, source: ExplanationSource) {
  const { clause, check } = find(suite, id);
  if (clause) return { clause: clauseData(suite, clause) };
  const [faults, sent] = await Promise.all([source.faults(), source.exampleRun(id)]);
  const { why, causes } = guidanceOf(source.guidance, id) ?? { why: "", causes: [] };
  return {
    check: checkData(check),
    clauses: suite.clauses
      .filter((item) => check.clauses.includes(item.id))
      .map((item) => clauseData(suite, item)),
    why,
    sent,
    fails: faultsCaughtBy(check, faults),
    causes,
    command: `${suite.command} --only ${id}`,
  };
}

/**
 * Explains a check or a clause: the specification's text, why it matters, what is sent, what passes and fails, the
 * usual cause of a failure, and how to run it alone.
 * @throws UsageError for an unknown id
 */
export async function explain(suite: Suite, id: string, source: ExplanationSource): Promise<string> {
  const { clause, check } = find(suite, id);
  return clause ? clauseLines(suite, clause).join("\n") : explainCheck(suite, check, source);
}
