/** Files and pieces of files that are to be filled in. */

const quoted = (text: string): string => JSON.stringify(text);

/** From `group.what-it-shows` or `a-name` to a name in the code. */
export const camelCase = (id: string): string =>
  id.replaceAll(/[.-]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export interface CheckTemplate {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly mutant: string;
}

export const checkOf = ({ id, title, clauses, mutant }: CheckTemplate): string => `
const ${camelCase(id.slice(id.indexOf(".") + 1))} = check({
  id: ${quoted(id)},
  title: ${quoted(title)},
  clauses: [${clauses.map((clause) => `clause[${quoted(clause)}]`).join(", ")}],
  mutants: [${quoted(mutant)}],
  async run({ api, order }) {
    // The experiment, in about twenty lines: what is sent, what has to come of it, and a twin that shows that the same
    // request without the fault is taken. This one takes every server; write what the clause says in its place.
    (await api.createDelivery(await order())).body(201);
    throw new Error("${id}: its experiment isn't written yet");
  },
});
`;

export const checksFile = (
  group: string,
): string => `import { clause } from "../../../../openapi/generated/clauses.ts";
import { type Check, check } from "../define.ts";

export const ${camelCase(group)}Checks: readonly Check[] = [];
`;

export const mutantOf = (name: string, fault: string): string => `
  ${quoted(name)}: {
    fault: ${quoted(fault)},
    // From the parts of a right server to those of the wrong one. This one breaks nothing yet, and so isn't caught.
    mutate: (parts) => parts,
  }`;

export const mutantsFile = (group: string): string => `import type { Mutant } from "../mutant.ts";

export const ${camelCase(group)}Mutants = {} satisfies Record<string, Mutant>;
`;

export const clauseOf = (
  clause: Readonly<Record<"id" | "part" | "section" | "subject" | "level" | "claim" | "text", string>>,
): string =>
  `  - id: ${clause.id}
    part: ${clause.part}
    section: ${quoted(clause.section)}
    subject: ${clause.subject}
    level: ${clause.level}
    claim: ${clause.claim}
    text: ${quoted(clause.text)}
`;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export const commandFlags = (
  name: string,
): string => `import type { CommandDefinition } from "../command-context.ts";
import type { ${capital(name)}Flags } from "./${name}.ts";

export const define${capital(name)}: CommandDefinition = (root, context) => {
  root
    .command("${name}")
    .description("TODO: what it does, in one sentence.")
    .option("--json", "print what it found as JSON")
    .action(async (flags: ${capital(name)}Flags) => {
      const { run${capital(name)} } = await import("./${name}.ts");
      context.exit(await run${capital(name)}(flags, context.output(flags)));
    });
};
`;

export const commandFile = (name: string): string => `import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";

export interface ${capital(name)}Flags {
  json?: boolean;
}

/**
 * TODO: what it does.
 * @returns the exit code
 * @throws UsageError for a mistake of whoever calls it: what, where, what to do, in one line
 */
export async function run${capital(name)}(_flags: ${capital(name)}Flags, _output: Output): Promise<number> {
  throw new UsageError("${name} isn't written yet: begin in tools/commands/${name}/${name}.ts");
}
`;
