import type { Subject } from "../../../suites/core/contract/claims.ts";
import { catalogueData } from "../../certification/catalogue.ts";
import { type ExplanationSource, explain } from "../../certification/explain.ts";
import { suiteOf } from "../../suites.ts";

const explanationOf: Readonly<Record<Subject, () => Promise<ExplanationSource>>> = {
  server: async () => (await import("../conform/explanation.ts")).serverExplanation,
  receiver: async () => (await import("../receiver/explanation.ts")).receiverExplanation,
  client: async () => (await import("../client/explanation.ts")).clientExplanation,
};

/**
 * Returns a line for each check. The lines of a whole suite take some 10,000 tokens; with clauses, ten times
 * as many.
 */
export async function listChecks({
  subject = "server",
  only = [],
}: {
  readonly subject?: Subject;
  readonly only?: readonly string[];
}): Promise<string> {
  const { checks } = catalogueData(await suiteOf[subject](), only);
  return checks.map(({ id, severity, title }) => `${id} (${severity}): ${title}`).join("\n");
}

/** Explains a check or a clause of any suite. @throws UsageError for an unknown id */
export async function explainId({ id }: { readonly id: string }): Promise<string> {
  const suites = await Promise.all([suiteOf.server(), suiteOf.receiver(), suiteOf.client()]);
  const [server] = suites;
  const suite = suites.find((one) => [...one.checks, ...one.clauses].some((known) => known.id === id));
  const { subject } = suite ?? server;
  return explain(suite ?? server, id, await explanationOf[subject]());
}
