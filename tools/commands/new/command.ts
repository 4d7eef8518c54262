import { packageFolder } from "../../package.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { Edits, say } from "./edits.ts";
import { withEntry, withImport } from "./source-edits.ts";
import * as template from "./templates.ts";

/**
 * Adds a command that says that it isn't written yet.
 * @throws UsageError for a name of a wrong form, or of a command that there is
 */
export function newCommand(name: string, output: Output, folder: string = packageFolder): number {
  const edits = new Edits(folder);
  if (!/^[a-z]+$/.test(name)) throw new UsageError(`${name} isn't one word in small letters`);
  const path = `tools/commands/${name}`;
  if (edits.has(path)) throw new UsageError(`there is a command ${name} already`);
  const define = `define${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  edits.write(`${path}/flags.ts`, template.commandFlags(name));
  edits.write(`${path}/${name}.ts`, template.commandFile(name));
  const program = edits.read("tools/program.ts");
  edits.write(
    "tools/program.ts",
    withImport(withEntry(program, "COMMANDS", define), define, `./commands/${name}/flags.ts`),
  );
  const manifest = edits.read("package.json");
  edits.write(
    "package.json",
    manifest.replace('"generate":', `"${name}": "node bin/source.js ${name}",\n    "generate":`),
  );
  return say(output, edits.save(), [
    `Write it in ${path}/${name}.ts; npm run ${name} says that it isn't written yet`,
    "Give it a command line in README.md or a guide of docs/: a test asks for one",
    "npx vitest run tools/testing/public-surface.test.ts -u freezes its help; read it as a user would",
  ]);
}
