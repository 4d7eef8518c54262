import { type DeclarationName, declarations } from "../../openapi/generated/declarations.ts";
import type { Subject } from "../../suites/core/contract/claims.ts";
import { UsageError } from "../usage-error.ts";
import type { Given } from "./values.ts";

/** The declarable limitations, by name. */
export const declarable = (subject: Subject): readonly string[] => Object.keys(declarations[subject]);

const isOf = (subject: Subject, name: string): name is DeclarationName =>
  Object.hasOwn(declarations[subject], name);
const isKnown = (name: string): boolean =>
  Object.values(declarations).some((one) => Object.hasOwn(one, name));

/**
 * The declared limitations of a run, from the command line or the environment, or else the settings file. The
 * file may also configure runs on other kinds of target, so it may contain their names.
 * @throws UsageError for an unknown name, with all known ones
 */
export function declaredNames(
  subject: Subject,
  named: Given<readonly string[]> | undefined,
  configured: Given<readonly string[]>,
): Given<readonly DeclarationName[]> {
  const ofFile = configured.value.filter((name) => isOf(subject, name) || !isKnown(name));
  const { value: wanted, from } = named ?? { value: ofFile, from: configured.from };
  const value = [...new Set(wanted)].map((name) => {
    if (isOf(subject, name)) return name;
    throw new UsageError(
      `${from}: ${name || "(nothing)"} is not a case that a ${subject} can declare; the cases are ${declarable(subject).join(", ")}`,
    );
  });
  return { value, from };
}
