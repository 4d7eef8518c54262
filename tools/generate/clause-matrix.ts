import type { Clause, ClauseList, Declaration, OpenPoint } from "../../suites/core/contract/clause-list.ts";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import { type Catchable, checksThatCatch, mutantsCaughtBy } from "../../suites/core/mutation/catching.ts";

interface MatrixSource {
  readonly catalogue: ClauseList;
  /** The checks of all suites. */
  readonly checks: readonly SuiteCheck[];
  readonly mutants: Readonly<Record<string, Catchable & { readonly fault: string }>>;
}

type Row = readonly string[];

/** The characters to escape. An underscore within a word isn't Markdown, and a text search finds the word unescaped. */
const MARKDOWN_SYNTAX = /[\\|*[\]`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/**
 * Escapes text that Markdown would read as a table border, a tag or emphasis. Code in backticks stays
 * unchanged.
 */
const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .split(/(`[^`]+`)/)
    .map((piece, index) =>
      index % 2 === 1
        ? piece.replaceAll("|", "\\|")
        : piece.replaceAll(MARKDOWN_SYNTAX, (sign) => `\\${sign}`).replaceAll("<", "&lt;"),
    )
    .join("");

const code = (text: string): string => `\`${text}\``;
const anchor = (id: string): string => `<a id="${id.toLowerCase()}"></a>${id}`;
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");

const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const HEAD = ["Clause", "Level", "Claim", "What it says", "Check", "Needs", "Mutants that it catches"];

/** A row for each check of the clause. The first row contains the clause itself. */
function clauseRows(clause: Clause, { checks, mutants }: MatrixSource): readonly Row[] {
  const facts = [anchor(clause.id), clause.level, clause.claim, plain(clause.text)];
  const verifying = checks.filter(({ clauses }) => clauses.includes(clause.id));
  if (verifying.length === 0) {
    const why = clause.excluded === undefined ? "none yet" : "none: [why](#clauses-without-a-check)";
    return [[...facts, why, "", ""]];
  }
  return verifying.map((check, index) => [
    ...(index === 0 ? facts : ["", "", "", ""]),
    code(check.id),
    check.needs.join(", "),
    mutantsCaughtBy(check, mutants).map(code).join(", "),
  ]);
}

/** The distinct values of a key, in the order of their first occurrence. */
const inOrder = <T>(items: readonly T[], key: (item: T) => string): readonly string[] => [
  ...new Set(items.map(key)),
];

function partText(source: MatrixSource, part: string): string {
  const { catalogue } = source;
  const clauses = catalogue.clauses.filter((clause) => clause.part === part);
  const sections = inOrder(clauses, ({ section }) => section).map((section) => {
    const rows = clauses
      .filter((clause) => clause.section === section)
      .flatMap((clause) => clauseRows(clause, source));
    return `### ${section}\n\n${table(HEAD, rows)}`;
  });
  return [`## ${catalogue.parts[part] ?? part}`, ...sections].join("\n\n");
}

function contents({ catalogue }: MatrixSource): string {
  const lines = Object.entries(catalogue.parts).map(([part, name]) => {
    const clauses = catalogue.clauses.filter((clause) => clause.part === part);
    const groups = inOrder(clauses, ({ id }) => id.replace(/-\d+$/, ""));
    return `- [${name}](#${slug(name)}): ${clauses.length} clauses, ${groups.join(", ")}`;
  });
  const others = ["Clauses without a check", "Mutants", "Declarations", "Open points"];
  return [...lines, ...others.map((name) => `- [${name}](#${slug(name)})`)].join("\n");
}

function exclusions({ catalogue, checks }: MatrixSource): string {
  const without = catalogue.clauses.filter(
    ({ id }) => !checks.some((check) => check.clauses.some((one) => one === id)),
  );
  const rows = without.map(({ id, level, claim, text, excluded }) => [
    `[${id}](#${id.toLowerCase()})`,
    level,
    claim,
    plain(text),
    plain(excluded ?? "Its check isn't written yet."),
  ]);
  return table(["Clause", "Level", "Claim", "What it says", "Why it has no check"], rows);
}

function mutantsTable({ mutants, checks }: MatrixSource): string {
  const rows = Object.entries(mutants)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, mutant]) => [
      code(id),
      plain(mutant.fault),
      checksThatCatch(mutant, checks)
        .map((check) => code(check.id))
        .join(", "),
    ]);
  return table(["Mutant", "Its fault", "Caught by"], rows);
}

const openPointRow = ({ id, where, text, choices, coping }: OpenPoint): Row => [
  anchor(id),
  plain(where),
  plain(text),
  choices.map(plain).join("; "),
  plain(coping),
];

const declarationRow = ({ name, subject, text, section, sentence, clauses }: Declaration): Row => [
  code(`--without ${name}`),
  subject,
  plain(text),
  clauses.map((id) => `[${id}](#${id.toLowerCase()})`).join(", "),
  `${plain(section)}: "${plain(sentence)}"`,
];

/** The page that lists each clause's checks, and the faults that they detect. */
export function renderMatrix(source: MatrixSource): string {
  const { catalogue, checks, mutants } = source;
  return `${[
    "<!-- Generated by `npm run generate`; a test fails when it differs from its sources. -->",
    "# What is checked",
    `${catalogue.clauses.length} clauses, ${checks.length} checks, ${Object.keys(mutants).length} mutants, ${catalogue.open_points.length} open points.`,
    "The tables follow the specification: find the statement's heading first, then the statement." +
      " Claims are levels of conformance: of servers (api, events, courier, time), of webhook receivers (responses, effects)" +
      " and of API clients (requests, retries, catch-up). `npm run conform -- --explain ID` explains a clause or a" +
      " check, `npm run conform -- --list --only WORDS` finds both on the terminal.",
    contents(source),
    ...Object.keys(catalogue.parts).map((part) => partText(source, part)),
    "## Clauses without a check",
    exclusions(source),
    "## Mutants",
    "Each is the reference server, a correct receiver or a correct client with one fault. Every listed check fails on it.",
    mutantsTable(source),
    "## Declarations",
    "A conforming implementation may have no use for some cases. If it declares one of them, these clauses are not" +
      " applicable, and a run in which the case occurs fails.",
    table(
      ["Declaration", "Subject", "What is declared", "Not applicable", "By the specification's sentence"],
      catalogue.declarations.map(declarationRow),
    ),
    "## Open points",
    "What the specification leaves open: no check depends on the choice that a service makes here.",
    table(
      ["Point", "Where", "What is open", "Legal choices", "How the suite handles it"],
      catalogue.open_points.map(openPointRow),
    ),
  ].join("\n\n")}\n`;
}
