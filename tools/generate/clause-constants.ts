import type { Clause, ClauseList, OpenPoint } from "../../suites/core/contract/clause-list.ts";

const documented = (id: string, text: string, member: string): string =>
  `  /** ${text.replaceAll(/\s+/g, " ").replaceAll("*/", "*\\/")} */\n  ${JSON.stringify(id)}${member}\n`;

const clauseText = ({ level, text }: Pick<Clause, "level" | "text">): string => `${level}: ${text}`;

const openPointText = ({ text, choices }: Pick<OpenPoint, "text" | "choices">): string =>
  `${text} Choices: ${choices.join("; ")}.`;

/**
 * The TypeScript source with the clause ids. They are properties of an object, such as `clause["IDEM-5"]`, because editors
 * show the comment of a property.
 */
export const renderClauseConstants = ({ clauses, open_points }: ClauseList): string =>
  [
    "/** The clauses by id. Checks name their clauses with these, and an editor shows the clause's text. */\n",
    "export const clause = {\n",
    ...clauses.map((one) => documented(one.id, clauseText(one), `: ${JSON.stringify(one.id)},`)),
    "} as const;\n\n",
    "/** Ids of the clause list's clauses. */\n",
    "export type ClauseId = keyof typeof clause;\n\n",
    "/** The clause list's open points by their ids, each with a statement that some service makes about it. */\n",
    "export interface OpenPoints {\n",
    ...open_points.map((one) => documented(one.id, openPointText(one), ": string;")),
    "}\n\n",
    "/** Ids of the clause list's open points. */\n",
    "export type OpenPointId = keyof OpenPoints;\n",
  ].join("");
