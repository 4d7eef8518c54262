import { readFileSync } from "node:fs";
import type { ClauseId, OpenPointId } from "../../../openapi/generated/clauses.ts";
import type { DeclarationName } from "../../../openapi/generated/declarations.ts";
import type { CLAUSE_LEVELS, Claim, Subject } from "./claims.ts";
import type { SetName } from "./element-sets.ts";

type ClauseLevel = (typeof CLAUSE_LEVELS)[number];

/** One normative statement of the specification. */
export interface Clause {
  readonly id: ClauseId;
  /** The key of the specification's part. */
  readonly part: string;
  /** The specification's section with the statement. */
  readonly section: string;
  readonly subject: Subject;
  readonly level: ClauseLevel;
  /** The first of its subject's levels at which the clause can be verified. */
  readonly claim: Claim;
  readonly text: string;
  /** The sets over which the clause is quantified. Its checks cover each element. */
  readonly over?: SetName | readonly SetName[];
  /** True if the clause forbids something. One undisturbed observation then counts. */
  readonly never?: boolean;
  /** Why no check verifies the clause. */
  readonly excluded?: string;
}

/** Behaviour that the specification doesn't define. */
export interface OpenPoint {
  readonly id: OpenPointId;
  readonly merges?: readonly number[];
  readonly where: string;
  readonly text: string;
  readonly choices: readonly string[];
  readonly coping: string;
}

/** Optional behaviour that a target may declare to lack. */
export interface Declaration {
  /** The value for --without. */
  readonly name: DeclarationName;
  readonly subject: Subject;
  /** The declared fact, as a sentence. */
  readonly text: string;
  /** The specification's section with the sentence. */
  readonly section: string;
  /** The specification's sentence that limits the clauses to that case. */
  readonly sentence: string;
  /** The clauses that the declaration makes inapplicable. */
  readonly clauses: readonly ClauseId[];
}

export interface ClauseList {
  readonly parts: Readonly<Record<string, string>>;
  readonly clauses: readonly Clause[];
  readonly open_points: readonly OpenPoint[];
  readonly declarations: readonly Declaration[];
}

const parseClauseList = (): ClauseList =>
  JSON.parse(readFileSync(new URL("../../../openapi/generated/clauses.json", import.meta.url), "utf8"));

let clauseList: ClauseList | undefined;

/** openapi/clauses.yaml, read once. A test verifies its form. */
export function readClauseList(): ClauseList {
  clauseList ??= parseClauseList();
  return clauseList;
}

let byId: ReadonlyMap<string, Clause> | undefined;

const clauseById = (id: string): Clause | undefined => {
  byId ??= new Map(readClauseList().clauses.map((one) => [one.id, one]));
  return byId.get(id);
};

/** True if the clause forbids something. */
export const isNever = (clause: string): boolean => clauseById(clause)?.never ?? false;

export const isMust = (clause: string): boolean => clauseById(clause)?.level === "MUST";

/** The sets over which a clause is quantified. */
export const setsOf = ({ over = [] }: Pick<Clause, "over">): readonly SetName[] => [over].flat();

/** The clauses and declarations of one subject. */
export function clauseListOf(subject: Subject): Pick<ClauseList, "clauses" | "declarations"> {
  const { clauses, declarations } = readClauseList();
  return {
    clauses: clauses.filter((one) => one.subject === subject),
    declarations: declarations.filter((one) => one.subject === subject),
  };
}
