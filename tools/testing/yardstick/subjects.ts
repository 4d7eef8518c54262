/** The subjects of the yardstick by name, each with a function that runs it and returns its results. */

import { clientChecks } from "../../../suites/client/checks/index.ts";
import { clientMutants } from "../../../suites/client/mutants/index.ts";
import { runClientMutant } from "../../../suites/client/mutants/run-mutant.ts";
import { certifyVariant as certifyClientVariant } from "../../../suites/client/testing/certify-variant.ts";
import { clientVariants } from "../../../suites/client/variants.ts";
import type { Certification } from "../../../suites/core/grading/certification.ts";
import type { Outcome } from "../../../suites/core/grading/outcome.ts";
import { receiverChecks } from "../../../suites/receiver/checks/index.ts";
import { receiverMutants } from "../../../suites/receiver/mutants/index.ts";
import { runReceiverMutant } from "../../../suites/receiver/mutants/run-mutant.ts";
import { certifyVariant as certifyReceiverVariant } from "../../../suites/receiver/testing/certify-variant.ts";
import { receiverVariants } from "../../../suites/receiver/variants.ts";
import { checks } from "../../../suites/server/checks/index.ts";
import { mutants } from "../../../suites/server/mutants/index.ts";
import { runMutant } from "../../../suites/server/mutants/run-mutant.ts";
import { certifyIndependentServer } from "../../../suites/server/testing/independent-server.ts";
import { nullServers, runOnNullServer } from "../../../suites/server/testing/null-servers.ts";
import { variants } from "../../../suites/server/variants/index.ts";
import { certifyVariant } from "../../../suites/server/variants/legal-servers.ts";
import type { Measured } from "./measured.ts";

/** A server, receiver or client that the suite is tested with. */
export interface Subject {
  readonly name: string;
  /** True if subjects may run concurrently, which those with timing checks may not. */
  readonly concurrent: boolean;
  measure(): Promise<Measured>;
}

type Outcomes = ReadonlyMap<string, Outcome>;

/** The status of a check, with the failed clauses if they are known. */
const endOf = ({ status, clause_findings }: Outcome): string =>
  [status, ...(clause_findings?.failed ?? [])].join(" ");

const endsOf = (outcomes: Outcomes): Measured =>
  Object.fromEntries([...outcomes].map(([id, outcome]) => [id, endOf(outcome)]));

/** Each mutant, run with the checks that name it. */
function mutantsOf<Check extends { readonly id: string; readonly mutants: readonly string[] }, Mutant>(
  kind: string,
  all: Readonly<Record<string, Mutant>>,
  suite: readonly Check[],
  run: (mutant: Mutant, naming: readonly Check[]) => Promise<Outcomes>,
): readonly Subject[] {
  return Object.entries(all).map(([id, mutant]) => ({
    name: `${kind}/${id}`,
    concurrent: kind !== "receiver",
    measure: async () => {
      const naming = suite.filter((check) => check.mutants.includes(id));
      const outcomes = await run(mutant, naming);
      return endsOf(new Map([...outcomes].filter(([check]) => naming.some((one) => one.id === check))));
    },
  }));
}

/** The verdict and the checks that didn't pass. */
const certified = ({ grade, outcomes, trouble }: Certification): Measured => ({
  verdict: grade.verdict,
  ...endsOf(new Map([...outcomes].filter(([id]) => id in trouble))),
});

const certifiedSubjects = <T>(
  kind: string,
  all: Readonly<Record<string, T>>,
  certify: (one: T) => Promise<Certification>,
): readonly Subject[] =>
  Object.entries(all).map(([id, one]) => ({
    name: `${kind}/${id}`,
    concurrent: false,
    measure: async () => certified(await certify(one)),
  }));

/** The number of checks per status. */
function countsOf(outcomes: Outcomes): Measured {
  const byStatus = Map.groupBy(outcomes.values(), ({ status }) => status);
  const counts = [...byStatus].map(([status, those]) => [status, String(those.length)] as const);
  return Object.fromEntries(counts.toSorted());
}

export const subjects: readonly Subject[] = [
  ...mutantsOf("server", mutants, checks, (mutant, naming) => runMutant(mutant, naming)),
  ...mutantsOf("receiver", receiverMutants, receiverChecks, (mutant, naming) =>
    runReceiverMutant(mutant, naming, receiverChecks),
  ),
  ...mutantsOf("client", clientMutants, clientChecks, runClientMutant),
  ...Object.entries(nullServers).map(([name, respond]) => ({
    name: `null-server/${name}`,
    concurrent: false,
    measure: async () => countsOf(await runOnNullServer(respond)),
  })),
  ...certifiedSubjects("variant", variants, certifyVariant),
  ...certifiedSubjects("variant-receiver", receiverVariants, (variant) =>
    certifyReceiverVariant(variant, variant.without ?? []),
  ),
  ...certifiedSubjects("variant-client", clientVariants, certifyClientVariant),
  {
    name: "independent-server",
    concurrent: false,
    measure: async () => certified(await certifyIndependentServer()),
  },
];
