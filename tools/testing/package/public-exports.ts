/** The exports of the package's entry points, for a test that compares them with the published ones. */
import { dirname, join } from "node:path";
import ts from "typescript";
import { packageFolder } from "../../package.ts";

function optionsOf(configFile: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(configFile)).options;
}

const isOptional = ({ flags }: ts.Symbol): boolean => (flags & ts.SymbolFlags.Optional) !== 0;

/**
 * One line for each export of a source file: a function with its signature, or a type with the names of its
 * members or alternatives. The line omits the types of members, so it doesn't show a change of such a type.
 */
export function publicExports(source: string): readonly string[] {
  const entry = join(packageFolder, source);
  const program = ts.createProgram([entry], optionsOf(join(packageFolder, "tsconfig.json")));
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const entrySymbol = file && checker.getSymbolAtLocation(file);
  if (!entrySymbol) throw new Error(`${entry} exports nothing`);

  const membersOf = (type: ts.Type): string =>
    checker
      .getPropertiesOfType(type)
      .map((member) => member.name + (isOptional(member) ? "?" : ""))
      .join(", ");
  const typeLine = (type: ts.Type): string => {
    if (!type.isUnion()) return `{ ${membersOf(type)} }`;
    return type.types.map((one) => checker.typeToString(one)).join(" | ");
  };
  const lineOf = (exported: ts.Symbol): string => {
    const symbol =
      (exported.flags & ts.SymbolFlags.Alias) === 0 ? exported : checker.getAliasedSymbol(exported);
    return (symbol.flags & ts.SymbolFlags.Value) === 0
      ? `type ${exported.name} = ${typeLine(checker.getDeclaredTypeOfSymbol(symbol))}`
      : `${exported.name}: ${checker.typeToString(checker.getTypeOfSymbol(symbol))}`;
  };
  return checker.getExportsOfModule(entrySymbol).map(lineOf).toSorted();
}
