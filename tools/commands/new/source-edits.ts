/** Insertions into source files, at places that the compiler finds. */
import ts from "typescript";

/** What a list or a table is in a file: an exported constant of this name's ending. */
interface Collection {
  readonly name: string;
  readonly literal: ts.ArrayLiteralExpression | ts.ObjectLiteralExpression;
}

function literalOf(expression: ts.Expression | undefined): Collection["literal"] | undefined {
  if (!expression) return undefined;
  if (ts.isSatisfiesExpression(expression) || ts.isAsExpression(expression))
    return literalOf(expression.expression);
  return ts.isArrayLiteralExpression(expression) || ts.isObjectLiteralExpression(expression)
    ? expression
    : undefined;
}

function collectionIn(text: string, isMeant: (name: string) => boolean): Collection | undefined {
  const file = ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest, true);
  const declarations = file.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
  );
  for (const { name, initializer } of declarations) {
    const literal = literalOf(initializer);
    if (ts.isIdentifier(name) && literal && isMeant(name.text)) return { name: name.text, literal };
  }
  return undefined;
}

/** The name of the file's list or table whose name ends so, or undefined. */
export const collectionName = (text: string, ending: string): string | undefined =>
  collectionIn(text, (name) => name.endsWith(ending))?.name;

/**
 * The text with one more entry at the end of a list or table.
 * @throws Error where the file has none of that name
 */
export function withEntry(text: string, collection: string, entry: string): string {
  const found = collectionIn(text, (name) => name === collection);
  if (!found) throw new Error(`there is no list ${collection}`);
  const members = ts.isArrayLiteralExpression(found.literal)
    ? found.literal.elements
    : found.literal.properties;
  const end = found.literal.getEnd() - 1;
  const comma = members.length === 0 || members.hasTrailingComma ? "" : ",";
  return `${text.slice(0, end)}${comma}${entry},\n${text.slice(end)}`;
}

/** The text with a statement before the one that declares this constant. */
export function withStatementBefore(text: string, constant: string, statement: string): string {
  const at = text.search(new RegExp(`^(/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)?export const ${constant}\\b`, "m"));
  return at < 0 ? `${text}\n${statement}` : `${text.slice(0, at)}${statement}\n${text.slice(at)}`;
}

/** The text with one more import, where the formatter sorts it in. */
export const withImport = (text: string, name: string, from: string): string =>
  `import { ${name} } from ${JSON.stringify(from)};\n${text}`;
