import { jsonFile, renderJson } from "../formats/json.ts";
import type { Report } from "../model.ts";
import { declarationOutcome } from "../text/labels.ts";
import { sha256 } from "./digests.ts";

/** The ids of the clauses with these results. */
const clausesWith = (
  { clauses }: Report,
  ...statuses: readonly Report["clauses"][number]["status"][]
): readonly string[] => clauses.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);

/** The statement's result. Only the verdict CONFORMANT is a pass or a warning. */
function resultOf(report: Report): "PASSED" | "WARNED" | "FAILED" {
  if (report.verdict !== "CONFORMANT") return "FAILED";
  return clausesWith(report, "warned").length > 0 ? "WARNED" : "PASSED";
}

/** The SHA-256 digests of files, by their names. */
export type Digests = Readonly<Record<string, string>>;

/**
 * attestation.json: an in-toto statement (v1) with the test-result predicate (v0.1) about report.json. With a
 * key, attestation.dsse.json contains the signed statement. A subject needs a digest, which a service doesn't have, so the
 * target is in `configuration`.
 * @param others the digests of the other report files, which are also subjects
 */
export function renderAttestation(report: Report, others: Digests = {}): string {
  const { suite, target, run, verdict, levels, declarations, as_of } = report;
  const settings = { seed: run.seed, jobs: run.jobs, strict: run.strict, complete: run.complete };
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: Object.entries({ "report.json": sha256(renderJson(report)), ...others }).map(
      ([name, digest]) => ({ name, digest: { sha256: digest } }),
    ),
    predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    predicate: {
      result: resultOf(report),
      configuration: [
        {
          name: "target",
          uri: target.url,
          annotations: {
            version: target.version,
            subject: suite.subject,
            verdict,
            ...(as_of && { judged_as_of: as_of.version }),
            ...(declarations && {
              declared: Object.fromEntries(
                declarations.map((one) => [`without ${one.name}`, `${one.name}${declarationOutcome(one)}`]),
              ),
            }),
            levels: Object.fromEntries(Object.entries(levels).map(([level, of]) => [level, of.verdict])),
          },
        },
        { name: "courier-dispatch.yaml", digest: { sha256: suite.document_sha256 } },
        ...(suite.clause_list_sha256 === undefined
          ? []
          : [{ name: "clauses.json", digest: { sha256: suite.clause_list_sha256 } }]),
        {
          name: "run",
          content: Buffer.from(JSON.stringify(settings)).toString("base64"),
          mediaType: "application/json",
          annotations: { suite: `${suite.name} ${suite.version}`, started_at: run.started_at },
        },
      ],
      passedTests: clausesWith(report, "passed"),
      warnedTests: clausesWith(report, "warned"),
      failedTests: clausesWith(report, "failed", "inconsistent", "known_failure", "errored"),
    },
  };
  return jsonFile(statement);
}
