import { packageFolder } from "../../package.ts";
import type { Output } from "../../terminal/output.ts";
import { type Change, type Changes, compareJudgements, KINDS } from "./compare.ts";
import { type Files, filesAt, presentFiles, resolveCommit } from "./history.ts";

export interface ChangesFlags {
  json?: boolean;
}

const SHORT_HASH = 10;

interface Side {
  readonly name: string;
  readonly files: Files;
}

function sideOf(folder: string, name: string | undefined): Side {
  if (name === undefined) return { name: "the files as they are", files: presentFiles(folder) };
  const commit = resolveCommit(folder, name);
  const short = commit.slice(0, SHORT_HASH);
  return { name: commit.startsWith(name) ? short : `${name} (${short})`, files: filesAt(folder, commit) };
}

function section(title: string, changes: readonly Change[]): readonly string[] {
  if (changes.length === 0) return [`${title}: none`];
  const ofKind = KINDS.flatMap((kind) => {
    const some = changes.filter((change) => change.kind === kind);
    if (some.length === 0) return [];
    return [
      `  ${kind} (${some.length})`,
      ...some.flatMap(({ id, how }) => [`    ${id}`, ...how.map((phrase) => `      ${phrase}`)]),
    ];
  });
  return [title, ...ofKind];
}

const words = (from: string, to: string, { checks, clauses, openPoints, frame }: Changes): string =>
  [
    `What is judged otherwise in ${to} than in ${from}`,
    "",
    ...section("Checks", checks),
    "",
    ...section("Clauses", clauses),
    "",
    ...section("Open points", openPoints),
    ...(frame.length === 0
      ? []
      : [
          "",
          `Changed below all checks, which may touch any of them (${frame.length})`,
          ...frame.map((path) => `  ${path}`),
        ]),
  ].join("\n");

/**
 * Lists what is judged otherwise at one time of the project than at another.
 * @param to undefined for the files as they are
 * @param folder the checkout whose history is read
 * @returns the exit code
 * @throws UsageError for a name that git doesn't know, and outside of a checkout
 */
export async function listChanges(
  from: string,
  to: string | undefined,
  output: Output,
  folder: string = packageFolder,
): Promise<number> {
  const [before, after] = [sideOf(folder, from), sideOf(folder, to)];
  // Needs the compiler, which the package does without: it has no history to read either.
  const { judgementOf } = await import("./judgement.ts");
  const changes = compareJudgements(judgementOf(before.files), judgementOf(after.files));
  output.result(words(before.name, after.name, changes));
  output.data({ from: before.name, to: after.name, ...changes });
  return 0;
}
