import { dirname, join } from "node:path/posix";
import ts from "typescript";
import type { Files } from "./history.ts";

/** What a check does: its own lines, and those of what it calls, by `name (file)`. */
export interface Steps {
  readonly own: string;
  readonly called: ReadonlyMap<string, string>;
}

/** Where checks stand, and what they call. What lies below is the same for all of them. */
const CHECKS = /^suites\/[^/]+\/checks\//;
const CALLED = /^suites\/[^/]+\/(checks|support|context)\//;
const ID = /^[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9-]+$/;
/** Told of a check elsewhere, or of no one's concern. */
const NOT_STEPS = new Set(["id", "title", "clauses", "mutants", "needs"]);

interface Imported {
  readonly path: string;
  readonly name: string;
}

interface SourceModule {
  readonly file: ts.SourceFile;
  /** Statements at the top level, by each name that they declare. */
  readonly declared: ReadonlyMap<string, ts.Statement>;
  readonly imported: ReadonlyMap<string, Imported>;
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    const names: string[] = [];
    const collect = (name: ts.BindingName): void => {
      if (ts.isIdentifier(name)) names.push(name.text);
      else for (const element of name.elements) if (!ts.isOmittedExpression(element)) collect(element.name);
    };
    for (const { name } of statement.declarationList.declarations) collect(name);
    return names;
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

function importedNames(path: string, statement: ts.Statement): readonly (readonly [string, Imported])[] {
  const isLocal = (node: ts.Expression): node is ts.StringLiteral =>
    ts.isStringLiteral(node) && node.text.startsWith(".");
  if (!ts.isImportDeclaration(statement) || !isLocal(statement.moduleSpecifier)) return [];
  const bindings = statement.importClause?.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings)) return [];
  const from = join(dirname(path), statement.moduleSpecifier.text);
  return bindings.elements.map(({ name, propertyName }) => [
    name.text,
    { path: from, name: (propertyName ?? name).text },
  ]);
}

function parseModule(path: string, text: string): SourceModule {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  return {
    file,
    declared: new Map(
      file.statements.flatMap((statement) => declaredNames(statement).map((name) => [name, statement])),
    ),
    imported: new Map(file.statements.flatMap((statement) => importedNames(path, statement))),
  };
}

const isProperty = (node: ts.Node, names: ReadonlySet<string>): boolean =>
  ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && names.has(node.name.text);

/** The identifiers below a node, without what isn't a step. */
function* identifiers(node: ts.Node, except: ReadonlySet<ts.Node>): Generator<string> {
  if (except.has(node) || isProperty(node, NOT_STEPS)) return;
  if (ts.isIdentifier(node)) yield node.text;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* identifiers(child, except);
}

/** The tokens of a node, so that neither comments nor line breaks count. */
function* tokens(node: ts.Node, file: ts.SourceFile, except: ReadonlySet<ts.Node>): Generator<string> {
  if (except.has(node) || isProperty(node, NOT_STEPS) || ts.isJSDoc(node)) return;
  const children = node.getChildren(file);
  if (children.length === 0) yield node.getText(file);
  for (const child of children) yield* tokens(child, file, except);
}

/** A node's code, without the commas that only a broken line has. */
const codeOf = (node: ts.Node, file: ts.SourceFile, except: ReadonlySet<ts.Node>): string =>
  [...tokens(node, file, except)].join(" ").replaceAll(/,(?= [)\]}])/g, "");

/** All ids of checks in a node, each with the text that it stands in. */
function idsIn(node: ts.Node, known: ReadonlySet<string>): readonly ts.StringLiteralLike[] {
  const found: ts.StringLiteralLike[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isStringLiteralLike(child) && known.has(child.text)) found.push(child);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return found;
}

/** The largest part of a statement that is one check's alone: an entry of a table, where several are made in one. */
function ownPart(id: ts.StringLiteralLike, others: readonly ts.Node[], statement: ts.Statement): ts.Node {
  const holdsAnother = (node: ts.Node) =>
    others.some((other) => other !== id && other.pos >= node.pos && other.end <= node.end);
  let part: ts.Node = id;
  while (part !== statement && !holdsAnother(part.parent)) part = part.parent;
  return part;
}

interface WholeStatement {
  readonly code: string;
  readonly names: ReadonlySet<string>;
  readonly hasIds: boolean;
}

const NONE: ReadonlySet<ts.Node> = new Set();
/** What many checks call is read once, and so is a file that is the same at both times. */
const statements = new WeakMap<ts.Statement, WholeStatement>();
const parsed = new Map<string, SourceModule>();

function wholeStatement(
  statement: ts.Statement,
  file: ts.SourceFile,
  known: ReadonlySet<string>,
): WholeStatement {
  const whole = statements.get(statement) ?? {
    code: codeOf(statement, file, NONE),
    names: new Set(identifiers(statement, NONE)),
    hasIds: idsIn(statement, known).length > 0,
  };
  statements.set(statement, whole);
  return whole;
}

function moduleOf(path: string, text: string): SourceModule {
  const key = `${path}\n${text}`;
  const module = parsed.get(key) ?? parseModule(path, text);
  parsed.set(key, module);
  return module;
}

/**
 * What each check does, by its id, as far as the code of suites says it.
 * @param files paths in the repository with their text
 */
export function stepsOfChecks(files: Files): ReadonlyMap<string, Steps> {
  const modules = new Map(
    [...files].filter(([path]) => CALLED.test(path)).map(([path, text]) => [path, moduleOf(path, text)]),
  );
  const known = new Set(
    [...(files.get("suites/check-ids.txt") ?? "").matchAll(/^\S+/gm)]
      .map(([id]) => id)
      .filter((id) => ID.test(id)),
  );

  /** Follows a name to where it is declared, and on from there. */
  function follow(path: string, name: string, called: Map<string, string>): void {
    const module = modules.get(path);
    const statement = module?.declared.get(name);
    const imported = module?.imported.get(name);
    if (imported) {
      follow(imported.path, imported.name, called);
      return;
    }
    const key = `${name} (${path})`;
    if (!module || !statement || called.has(key)) return;
    const { code, names, hasIds } = wholeStatement(statement, module.file, known);
    // What makes checks isn't called by one.
    if (hasIds) return;
    called.set(key, code);
    for (const next of names) follow(path, next, called);
  }

  const steps = new Map<string, Steps>();
  for (const [path, module] of modules) {
    if (!CHECKS.test(path)) continue;
    for (const statement of module.file.statements) {
      const ids = idsIn(statement, known);
      const parts = ids.map((id) => ownPart(id, ids, statement));
      for (const [index, id] of ids.entries()) {
        const others = new Set<ts.Node>(parts.filter((_, other) => other !== index));
        const called = new Map<string, string>();
        for (const name of new Set(identifiers(statement, others))) follow(path, name, called);
        steps.set(id.text, { own: codeOf(statement, module.file, others), called });
      }
    }
  }
  return steps;
}
