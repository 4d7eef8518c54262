import { LEVELS } from "../../suites/core/contract/claims.ts";
import type { ClauseList } from "../../suites/core/contract/clause-list.ts";

/**
 * The TypeScript source with the declarations of each kind of target. Help and completion need only these, and parsing
 * the clause list would make them slow.
 */
export const renderDeclarationNames = ({ declarations }: ClauseList): string =>
  [
    "/** The declarable limitations of each kind of target, by their names for --without. */\n",
    "export const declarations = {\n",
    ...Object.keys(LEVELS).flatMap((subject) => [
      `  ${subject}: {\n`,
      ...declarations
        .filter((one) => one.subject === subject)
        .map(({ name, text }) => `    ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`),
      "  },\n",
    ]),
    "} as const;\n\n",
    "type Names<Subject extends keyof typeof declarations> = keyof (typeof declarations)[Subject];\n\n",
    "/** The names of all declarable limitations. */\n",
    "export type DeclarationName = { [Subject in keyof typeof declarations]: Names<Subject> }[keyof typeof declarations];\n",
  ].join("");
