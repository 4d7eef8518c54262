import { type DeclarationName, declarations } from "../../openapi/generated/declarations.ts";
import type { Subject } from "../../suites/core/contract/claims.ts";
import { UsageError } from "../usage-error.ts";
import type { Given } from "./values.ts";

/** The names that --without accepts for a kind of target. */
export const declarationNames = (subject: Subject): readonly string[] => Object.keys(declarations[subject]);

const isDeclarationOf = (subject: Subject, name: string): name is DeclarationName =>
  Object.hasOwn(declarations[subject], name);
const isDeclaration = (name: string): boolean =>
  Object.values(declarations).some((bySubject) => Object.hasOwn(bySubject, name));

/**
 * The declarations of a run: those of the command line or the environment if there are any, or else those of the
 * settings file. The settings file may be shared by runs on other kinds of target, so it may also name their
 * declarations.
 * @throws UsageError for an unknown name. The message lists the known names
 */
export function declaredNames(
  subject: Subject,
  named: Given<readonly string[]> | undefined,
  configured: Given<readonly string[]>,
): Given<readonly DeclarationName[]> {
  const relevant = configured.value.filter((name) => isDeclarationOf(subject, name) || !isDeclaration(name));
  const { value: names, from } = named ?? { value: relevant, from: configured.from };
  const value = [...new Set(names)].map((name) => {
    if (isDeclarationOf(subject, name)) return name;
    throw new UsageError(
      `${from}: ${name || "(nothing)"} is not a case that a ${subject} can declare; the cases are ${declarationNames(subject).join(", ")}`,
    );
  });
  return { value, from };
}
