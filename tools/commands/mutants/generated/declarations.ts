/**
 * Finds the innermost declaration at a position of a source file, and hashes its code without comments and line breaks.
 */
import { createHash } from "node:crypto";
import ts from "typescript";

interface Declaration {
  /** Names from the outermost to the innermost, e.g. `cursor.decode`. */
  readonly label: string;
  /** Eight hexadecimal digits of the code's hash, which doesn't depend on comments or layout. */
  readonly fingerprint: string;
}

interface Declarations {
  /** @param start `start` and `end` are offsets in the source */
  at(start: number, end: number): Declaration;
}

const printer = ts.createPrinter({ removeComments: true });

const isFunction = (node: ts.Node | undefined): boolean =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

/** The name of a function, a method or a top-level declaration. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isConstructorDeclaration(node)) return "constructor";
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) return node.name?.text;
  if (ts.isMethodDeclaration(node) || ts.isAccessor(node)) return node.name.getText();
  if (ts.isPropertyDeclaration(node)) return node.name.getText();
  if (ts.isPropertyAssignment(node)) return isFunction(node.initializer) ? node.name.getText() : undefined;
  if (!ts.isVariableDeclaration(node)) return undefined;
  const isOfFile = ts.isSourceFile(node.parent.parent.parent);
  return isOfFile || isFunction(node.initializer) ? node.name.getText() : undefined;
}

export function declarationsOf(content: string): Declarations {
  const source = ts.createSourceFile("file.ts", content, ts.ScriptTarget.Latest, true);
  const codeOf = (node: ts.Node) => printer.printNode(ts.EmitHint.Unspecified, node, source);
  return {
    at(start, end) {
      const names: string[] = [];
      let innermost: ts.Node = source;
      const visit = (node: ts.Node): void => {
        if (node.getStart() > start || node.getEnd() < end) return;
        const name = nameOf(node);
        if (name !== undefined) {
          names.push(name);
          innermost = node;
        }
        node.forEachChild(visit);
      };
      source.forEachChild(visit);
      const code = codeOf(innermost).replace(/\s+/g, " ");
      return {
        label: names.join(".") || "(file)",
        fingerprint: createHash("sha256").update(code).digest("hex").slice(0, 8),
      };
    },
  };
}
