import { commandWith } from "../core/command-line.ts";
import { LEVELS } from "../core/contract/claims.ts";
import { clauseListOf } from "../core/contract/clause-list.ts";
import { type Suite, type SuiteCheck, severityOf } from "../core/grading/suite.ts";
import { type AnyCheck, isActive } from "./check.ts";
import { checks } from "./checks/index.ts";
import { levelOf } from "./levels.ts";

export function serverSuite(all: readonly AnyCheck[] = checks): Suite {
  const { clauses, declarations } = clauseListOf("server");
  const described = all.map(
    (check): SuiteCheck => ({
      id: check.id,
      title: check.title,
      clauses: check.clauses,
      severity: severityOf(check.clauses, clauses),
      level: levelOf(check, clauses),
      needs: isActive(check) ? check.needs : [],
    }),
  );
  return {
    subject: "server",
    command: commandWith("conform"),
    levels: LEVELS.server,
    clauses,
    checks: described,
    declarations,
  };
}
