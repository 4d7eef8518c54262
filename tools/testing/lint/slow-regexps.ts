/**
 * Finds regular expressions that take exponential time on some texts. A target's text could make such an
 * expression block the process.
 */
import { readFileSync } from "node:fs";
import { checkSync } from "recheck";
import ts from "typescript";
import { textMember } from "../../../suites/core/json.ts";

/** Only a repeated group can take exponential time. */
const REPEATED_GROUP = /\)[*+{]/;
/** A generous time limit. An expression takes milliseconds, unless the machine is busy. */
const TIMEOUT_MS = 30_000;

const isExponential = (expression: string): boolean => {
  const end = expression.lastIndexOf("/");
  const flags = expression.slice(end + 1);
  const diagnostics = checkSync(expression.slice(1, end), flags, { timeout: TIMEOUT_MS });
  return textMember(diagnostics, "complexity", "type") === "exponential";
};

/**
 * @param files absolute paths
 * @returns `file:line expression` for each exponential expression
 */
export function slowRegexps(files: readonly string[]): readonly string[] {
  const known = new Map<string, boolean>();
  const isSlow = (expression: string): boolean => {
    const slow = known.get(expression) ?? (REPEATED_GROUP.test(expression) && isExponential(expression));
    known.set(expression, slow);
    return slow;
  };
  return files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node) && isSlow(node.text)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${file}:${line + 1}  ${node.text}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}
