import { existsSync, rmSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Document, isMap, isSeq, type YAMLSeq } from "yaml";
import type { ClauseResult } from "../../suites/core/grading/clauses/clause-results.ts";
import { covers, type KnownClause } from "../../suites/core/grading/clauses/known-failures.ts";
import type { Suite } from "../../suites/core/grading/suite.ts";
import { isObject, textOf } from "../../suites/core/json.ts";
import { nearest } from "../nearest.ts";
import type { BaselineFindings, KnownFailure } from "../report/model.ts";
import { counted } from "../report/text/counted.ts";
import { schemaMistake } from "../settings/schema-mistake.ts";
import { parseYaml, readText } from "../settings/yaml-file.ts";
import { UsageError } from "../usage-error.ts";
import { writeFileAtomically } from "../whole-file.ts";
import schema from "./baseline.schema.json" with { type: "json" };

/** A failed clause, with the fields of its baseline entry. */
export type FailedClause = KnownClause & Pick<KnownFailure, "intermittent">;

/** The clause's failures: an object for each failed or inconsistent check, with the check's failed cases. */
const failuresOf = ({ id, checks }: ClauseResult) =>
  checks
    .filter(({ status }) => status === "failed" || status === "inconsistent")
    .map(({ cases = [] }) => ({ clause: id, cases }));

interface BaselineFile {
  known_failures: KnownFailure[];
}

const validate = new Ajv2020({ strict: false, verbose: true, validateSchema: false }).compile<BaselineFile>(
  schema,
);

const NEW_FILE = `# Known failures: clause, cases (all cases if omitted), reason and, optionally, the last day on which
# the entry is valid (until: 2027-01-31). The run fails if the clause of an entry passes, or the entry has expired.
known_failures: []
`;
const UNEXPLAINED = "not explained yet";

/** @throws UsageError */
function writeBaseline(file: string, text: string): void {
  try {
    writeFileAtomically(file, text);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? textOf(error.code) : "unwritable";
    throw new UsageError(`--baseline ${file} isn't writable (${code}): give another file`);
  }
}

/** Advice for a baseline in the first format, which listed checks; undefined for other contents. */
function firstFormatAdvice(data: unknown, { checks }: Suite): string | undefined {
  const entries = isObject(data) && Array.isArray(data.known_failures) ? data.known_failures : [];
  const check = checks.find(({ id }) => entries.some((entry) => isObject(entry) && entry.check === id));
  return (
    check &&
    `it names checks, but a baseline names clauses: replace "check: ${check.id}" with "clause: ${check.clauses.join('" or "clause: ')}", and so on; or delete the file and create it with --update-baseline`
  );
}

/** The known failures of one suite, as listed in a file. */
export class Baseline {
  readonly file: string;
  readonly entries: readonly KnownFailure[];
  readonly #document: Document;

  private constructor(file: string, document: Document, entries: readonly KnownFailure[]) {
    this.file = file;
    this.entries = entries;
    this.#document = document;
  }

  /**
   * @param mayBeNew true for --update-baseline: a missing file is an empty baseline, and the file must be writable
   * @throws UsageError that names the file, and the invalid field if there is one
   */
  static read(file: string, suite: Suite, mayBeNew: boolean): Baseline {
    const fresh = mayBeNew && !existsSync(file);
    const text = fresh
      ? NEW_FILE
      : readText(file, "give an existing file, or create one with --update-baseline");
    const { document, content: data } = parseYaml(file, text);
    if (!validate(data)) {
      throw new UsageError(
        `${file}: ${firstFormatAdvice(data, suite) ?? schemaMistake(validate.errors?.[0])}`,
      );
    }
    const entries = data.known_failures;
    for (const [i, { clause }] of entries.entries()) {
      if (entries.findIndex((other) => other.clause === clause) < i) {
        throw new UsageError(`${file} names ${clause} twice: remove one entry`);
      }
      const ids = suite.clauses.map(({ id }) => id);
      if (ids.some((id) => id === clause)) continue;
      const meant = nearest(clause, ids);
      throw new UsageError(
        `${file} names an unknown clause, ${clause}${meant ? `; did you mean ${meant}?` : ""} (docs/ci.md)`,
      );
    }
    if (mayBeNew) {
      // Tested before the run, because a run's results are lost if the file can't be written at its end.
      writeBaseline(file, text);
      if (fresh) rmSync(file);
    }
    return new Baseline(file, document, entries);
  }

  /**
   * @param results the results of the clauses, before the baseline is applied
   * @param today as YYYY-MM-DD
   */
  findings(results: readonly ClauseResult[], today: string): BaselineFindings {
    const resultOf = ({ clause }: KnownFailure) => results.find(({ id }) => id === clause);
    const stale = this.entries.filter(
      (entry) => resultOf(entry)?.status === "passed" && entry.intermittent !== true,
    );
    const overdue = this.entries.filter(
      (entry) => entry.until !== undefined && entry.until < today && !stale.includes(entry),
    );
    const known = this.entries.filter((entry) => {
      const result = resultOf(entry);
      return (
        !overdue.includes(entry) &&
        result !== undefined &&
        failuresOf(result).some((failure) => covers(entry, failure))
      );
    });
    return { file: this.file, known, stale, overdue };
  }

  /**
   * Rewrites the file for this run's failed clauses, and keeps its comments. Removes entries whose clause passes
   * (stale), whose date has passed (overdue), or that don't cover every failed case of the clause. Then adds an
   * entry for each failed clause without one.
   * @returns the updated baseline
   */
  update(
    results: readonly ClauseResult[],
    failed: readonly FailedClause[],
    { stale, overdue }: BaselineFindings,
  ): Baseline {
    const coversAll = (entry: KnownFailure) =>
      results
        .filter(({ id }) => id === entry.clause)
        .flatMap(failuresOf)
        .every((failure) => covers(entry, failure));
    const isObsolete = (entry: KnownFailure) =>
      stale.includes(entry) || overdue.includes(entry) || !coversAll(entry);
    const removed = this.entries.filter(isObsolete);
    const kept = this.entries.filter((entry) => !removed.includes(entry));
    const reusableEntry = (id: string) =>
      removed.find((entry) => entry.clause === id && !overdue.includes(entry));
    const added = failed
      .filter(({ clause }) => !kept.some((entry) => entry.clause === clause))
      .map((entry) => {
        const { reason = UNEXPLAINED, until } = reusableEntry(entry.clause) ?? {};
        return { ...entry, reason, ...(until !== undefined && { until }) };
      });
    const list = this.#list();
    const removedIds = removed.map(({ clause }) => clause);
    list.items = list.items.filter(
      (item) => !isMap(item) || !removedIds.includes(textOf(item.get("clause"))),
    );
    list.flow = false;
    for (const entry of added) list.add(this.#document.createNode(entry));
    writeBaseline(this.file, this.#document.toString());
    return new Baseline(this.file, this.#document, [...kept, ...added]);
  }

  /** A sentence about the rewritten file, with the numbers of added and removed entries. */
  writtenLine(before: Baseline): string {
    // A replaced entry counts as removed and as new.
    const added = this.entries.filter((entry) => !before.entries.includes(entry)).length;
    const removed = before.entries.filter((entry) => !this.entries.includes(entry)).length;
    const changes = [...(added > 0 ? [`${added} new`] : []), ...(removed > 0 ? [`${removed} removed`] : [])];
    const count = this.entries.length;
    return `Written: ${this.file}, ${count === 0 ? "no known failure" : counted(count, "known failure")}${changes.length > 0 ? ` (${changes.join(", ")})` : ""}.`;
  }

  #list(): YAMLSeq {
    const list = this.#document.get("known_failures");
    if (!isSeq(list)) throw new TypeError("known_failures isn't a list");
    return list;
  }
}
