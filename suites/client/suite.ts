import { commandWith } from "../core/command-line.ts";
import { LEVELS } from "../core/contract/claims.ts";
import { clauseListOf } from "../core/contract/clause-list.ts";
import { type Suite, type SuiteCheck, severityOf } from "../core/grading/suite.ts";
import type { ClientCheck } from "./check.ts";
import { clientChecks } from "./checks/index.ts";

export function clientSuite(all: readonly ClientCheck[] = clientChecks): Suite {
  const { clauses, declarations } = clauseListOf("client");
  const levelOf = (verified: readonly string[]) => {
    const claims = clauses.filter(({ id }) => verified.includes(id)).map(({ claim }) => claim);
    return LEVELS.client.findLast((level) => claims.includes(level)) ?? "requests";
  };
  const described = all.map(
    ({ id, title, clauses: verified, scenarios }): SuiteCheck => ({
      id,
      title,
      clauses: verified,
      severity: severityOf(verified, clauses),
      level: levelOf(verified),
      needs: scenarios.map((name) => `scenario ${name}`),
    }),
  );
  return {
    subject: "client",
    command: commandWith("client"),
    levels: LEVELS.client,
    clauses,
    checks: described,
    declarations,
  };
}
