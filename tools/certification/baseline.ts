import { existsSync, rmSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Document, isMap, isSeq, type YAMLSeq } from "yaml";
import type { CheckStatus } from "../../suites/core/grading/outcome.ts";
import type { Suite } from "../../suites/core/grading/suite.ts";
import { nearest } from "../nearest.ts";
import { counted } from "../report/counted.ts";
import type { BaselineFindings, KnownFailure } from "../report/model.ts";
import { schemaMistake } from "../settings/schema-mistake.ts";
import { parseYaml, readText } from "../settings/yaml-file.ts";
import { UsageError } from "../usage-error.ts";
import { writeWhole } from "../whole-file.ts";
import schema from "./baseline.schema.json" with { type: "json" };

/** True if a baseline may list a check with this outcome. */
const isKnowable = (status: CheckStatus | undefined): boolean =>
  status === "failed" || status === "inconsistent";

interface BaselineFile {
  known_failures: KnownFailure[];
}

const validate = new Ajv2020({ strict: false, verbose: true }).compile<BaselineFile>(schema);

const NEW_FILE = `# Failures that are known of: check, reason and, where there is one, the last day (until: 2027-01-31).
# An entry whose check passes again, or whose day is over, fails the run.
known_failures: []
`;
const UNEXPLAINED = "not explained yet";

/** @throws UsageError */
function writeBaseline(file: string, text: string): void {
  try {
    writeWhole(file, text);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unwritable";
    throw new UsageError(`--baseline ${file} can't be written to (${code}): give another file`);
  }
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
   * @param mayBeNew accepts a missing file as an empty baseline for --update-baseline, and tests that it can be written
   * @throws UsageError that names the file and the place in it
   */
  static read(file: string, suite: Suite, mayBeNew: boolean): Baseline {
    const fresh = mayBeNew && !existsSync(file);
    const text = fresh
      ? NEW_FILE
      : readText(file, "give an existing file, or make one with --update-baseline");
    const { document, content: data } = parseYaml(file, text);
    if (!validate(data)) {
      throw new UsageError(`${file}: ${schemaMistake(validate.errors?.[0])}`);
    }
    const entries = data.known_failures;
    for (const [i, { check }] of entries.entries()) {
      if (entries.findIndex((other) => other.check === check) < i) {
        throw new UsageError(`${file} names ${check} twice: remove one entry`);
      }
      if (suite.checks.some(({ id }) => id === check)) continue;
      const ids = suite.checks.map(({ id }) => id);
      const meant = nearest(check, ids);
      throw new UsageError(
        `${file} names an unknown check, ${check}${meant ? `; did you mean ${meant}?` : ""} (--list shows all)`,
      );
    }
    if (mayBeNew) {
      // Checked before the run, so that a run's findings aren't lost because the file can't be written.
      writeBaseline(file, text);
      if (fresh) rmSync(file);
    }
    return new Baseline(file, document, entries);
  }

  /**
   * @param statusOf how a check ended; undefined where it didn't run
   * @param today as YYYY-MM-DD
   */
  findings(statusOf: (check: string) => CheckStatus | undefined, today: string): BaselineFindings {
    const stale = this.entries.filter(
      ({ check, intermittent = false }) => statusOf(check) === "passed" && !intermittent,
    );
    const overdue = this.entries.filter(
      (entry) => entry.until !== undefined && entry.until < today && !stale.includes(entry),
    );
    const known = this.entries.filter(
      (entry) => isKnowable(statusOf(entry.check)) && !overdue.includes(entry),
    );
    return { file: this.file, known, stale, overdue };
  }

  /**
   * Rewrites the file for the checks that failed now, or in some runs. Adds new entries, removes stale and overdue
   * ones, and keeps comments.
   * @returns the updated baseline
   */
  update(
    statusOf: (check: string) => CheckStatus | undefined,
    ids: readonly string[],
    { stale, overdue }: BaselineFindings,
  ): Baseline {
    const gone = [...stale, ...overdue].map(({ check }) => check);
    const kept = this.entries.filter(({ check }) => !gone.includes(check));
    const added = ids
      .filter((check) => isKnowable(statusOf(check)) && !kept.some((entry) => entry.check === check))
      .map((check) => ({
        check,
        reason: UNEXPLAINED,
        ...(statusOf(check) === "inconsistent" && { intermittent: true }),
      }));
    const list = this.#list();
    list.items = list.items.filter((item) => !isMap(item) || !gone.includes(String(item.get("check"))));
    list.flow = false;
    for (const entry of added) list.add(this.#document.createNode(entry));
    writeBaseline(this.file, this.#document.toString());
    return new Baseline(this.file, this.#document, [...kept, ...added]);
  }

  /** The contents of the rewritten file, and the changes that the update made. */
  writtenLine(before: Baseline): string {
    // An overdue entry loses its reason: it is removed, and added as a new one if its check still fails.
    const added = this.entries.filter((entry) => !before.entries.includes(entry)).length;
    const gone = before.entries.filter((entry) => !this.entries.includes(entry)).length;
    const changes = [...(added > 0 ? [`${added} new`] : []), ...(gone > 0 ? [`${gone} taken out`] : [])];
    const many = this.entries.length;
    return `Written: ${this.file}, ${many === 0 ? "no known failure" : counted(many, "known failure")}${changes.length > 0 ? ` (${changes.join(", ")})` : ""}.`;
  }

  #list(): YAMLSeq {
    const list = this.#document.get("known_failures");
    if (!isSeq(list)) throw new TypeError("known_failures isn't a list");
    return list;
  }
}
