import type { CommandContext, CommandDefinition } from "../command-context.ts";
import type { NewCheckFlags } from "./check.ts";
import type { NewClauseFlags } from "./clause.ts";
import type { NewMutantFlags } from "./mutant.ts";

type Define = Parameters<CommandDefinition>[0];

function defineClause(parent: Define, context: CommandContext): void {
  parent
    .command("clause")
    .description("Adds a clause at the end of its group in openapi/clauses.yaml.")
    .argument("<group>", "what its id begins with, such as IDEM")
    .argument("<text>", "one testable fact, as a sentence in our own words")
    .option("--level <level>", "MUST, SHOULD or MAY", "MUST")
    .option(
      "--claim <level>",
      "the lowest level at which it can be verified (default: the group's last one's)",
    )
    .option("--section <heading>", "the specification's heading that it stands under (default: the same)")
    .action(async (group: string, text: string, flags: NewClauseFlags) => {
      const { newClause } = await import("./clause.ts");
      context.exit(newClause(group, text, flags, context.output()));
    });
}

function defineCheck(parent: Define, context: CommandContext): void {
  parent
    .command("check")
    .description(
      "Adds a check of servers and a mutant that it is to catch; both fail until they are filled in.",
    )
    .argument("<id>", "group.what-it-shows")
    .requiredOption("--clause <ids>", "the clauses that it verifies, with commas")
    .option("--title <sentence>", "what holds when it passes", "TODO: what holds when this passes")
    .option("--folder <name>", "of a new group: the folder of suites/server/checks that it belongs to")
    .action(async (id: string, flags: NewCheckFlags) => {
      const { newCheck } = await import("./check.ts");
      context.exit(newCheck(id, flags, context.output()));
    });
}

function defineMutant(parent: Define, context: CommandContext): void {
  parent
    .command("mutant")
    .description(
      "Adds a server with one fault, for a check that there is; it isn't caught until it is filled in.",
    )
    .argument("<name>", "what it does wrong, in words with hyphens")
    .requiredOption("--check <id>", "the check that is to catch it")
    .option("--fault <sentence>", "what it does wrong, as a sentence", "TODO: what this server does wrong")
    .action(async (name: string, flags: NewMutantFlags) => {
      const { newMutant } = await import("./mutant.ts");
      context.exit(newMutant(name, flags, context.output()));
    });
}

function defineOwnCommand(parent: Define, context: CommandContext): void {
  parent
    .command("command")
    .description("Adds a command to the program, with its flags, its script and its line in the help.")
    .argument("<name>", "one word in small letters")
    .action(async (name: string) => {
      const { newCommand } = await import("./command.ts");
      context.exit(newCommand(name, context.output()));
    });
}

export const defineNew: CommandDefinition = (root, context) => {
  const parent = root
    .command("new")
    .description("Puts the files of a new clause, check, mutant or command where they belong, in a checkout.")
    .addHelpText("after", "\nWhat is made fails until it is filled in, and says what comes next.");
  for (const define of [defineClause, defineCheck, defineMutant, defineOwnCommand]) define(parent, context);
};
