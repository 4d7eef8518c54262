import { commandWith } from "../core/command-line.ts";
import { LEVELS } from "../core/contract/claims.ts";
import { type Clause, clauseListOf } from "../core/contract/clause-list.ts";
import { type Suite, type SuiteCheck, severityOf } from "../core/grading/suite.ts";
import type { ReceiverCheck } from "./check.ts";
import { receiverChecks } from "./checks/index.ts";

/** A check's level: the highest level of its clauses and of its needs. */
function levelOf(
  { clauses: verified, needs }: ReceiverCheck,
  clauses: readonly Clause[],
): SuiteCheck["level"] {
  const beyond = clauses.some(({ id, claim }) => claim === "effects" && verified.some((one) => one === id));
  return beyond || needs.includes("effects") ? "effects" : "responses";
}

export function receiverSuite(all: readonly ReceiverCheck[] = receiverChecks): Suite {
  const { clauses, declarations } = clauseListOf("receiver");
  return {
    subject: "receiver",
    command: commandWith("receiver"),
    levels: LEVELS.receiver,
    clauses,
    checks: all.map((check) => ({
      id: check.id,
      title: check.title,
      clauses: check.clauses,
      severity: severityOf(check.clauses, clauses),
      level: levelOf(check, clauses),
      needs: check.needs,
    })),
    declarations,
  };
}
