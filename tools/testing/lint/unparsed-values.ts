/** Finds conversions of values of unknown type to text or numbers. A target's value may make them throw. */
import ts from "typescript";

/** Functions that throw for an object whose `toString` isn't a function. */
const CONVERTING = ["String", "Number", "BigInt", "parseInt", "parseFloat"];
/** Functions that accept any value. */
const SAFE = ["textOf", "numberOf"];

const optionsOf = (configFile: string): ts.CompilerOptions =>
  ts.convertCompilerOptionsFromJson(
    ts.readConfigFile(configFile, ts.sys.readFile).config?.compilerOptions,
    "",
  ).options;

/**
 * @param files absolute paths
 * @returns `file:line expression` for each unsafe conversion
 */
export function unparsedValues(files: readonly string[], configFile: string): readonly string[] {
  const program = ts.createProgram(files, { ...optionsOf(configFile), noEmit: true });
  const checker = program.getTypeChecker();
  const isList = (type: ts.Type): boolean =>
    type.isUnion() ? type.types.some(isList) : checker.isArrayLikeType(type);
  const isUnparsed = (type: ts.Type): boolean => {
    if ((type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) !== 0)
      return true;
    if (type.isUnion()) return type.types.some((one) => isUnparsed(one));
    if ((type.flags & ts.TypeFlags.TypeParameter) !== 0)
      return isUnparsed(checker.getBaseConstraintOfType(type) ?? checker.getUnknownType());
    if ((type.flags & ts.TypeFlags.Object) === 0) return false;
    const element = type.getNumberIndexType();
    // A nested list has unknown depth.
    if (element && checker.isArrayLikeType(type)) return isList(element) || isUnparsed(element);
    return ((type.getSymbol()?.flags ?? 0) & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) === 0;
  };
  const found: string[] = [];
  for (const source of files.flatMap((file) => program.getSourceFile(file) ?? [])) {
    const judge = (expression: ts.Expression): void => {
      if (!isUnparsed(checker.getTypeAtLocation(expression))) return;
      const { line } = source.getLineAndCharacterOfPosition(expression.getStart());
      found.push(`${source.fileName}:${line + 1}  ${expression.getText()}`);
    };
    const visit = (node: ts.Node): void => {
      if (ts.isVariableDeclaration(node) && SAFE.includes(node.name.getText())) return;
      if (ts.isTemplateSpan(node) && !ts.isTaggedTemplateExpression(node.parent.parent))
        judge(node.expression);
      if (ts.isCallExpression(node)) {
        const { expression, arguments: given } = node;
        const [first] = given;
        if (first && CONVERTING.includes(expression.getText())) judge(first);
        if (ts.isPropertyAccessExpression(expression)) {
          const isMapped = first && CONVERTING.includes(first.getText());
          if (expression.name.text === "join" || isMapped) judge(expression.expression);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}
