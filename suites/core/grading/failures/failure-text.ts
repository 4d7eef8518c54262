import type { Clause } from "../../contract/clause-list.ts";
import { missingResponse } from "../../exchange.ts";
import { clauseFinding } from "../clauses/clause-findings.ts";
import type { Outcome } from "../outcome.ts";
import { expectedText } from "./mismatch.ts";
import { webhookText } from "./webhook-text.ts";

const field = (name: string, text: string | undefined): readonly string[] =>
  text === undefined ? [] : [`${name}: ${text}`];

/** A failed check as plain text: clauses, difference, exchange, and the command that repeats it. */
export function failureText(
  check: Pick<
    Outcome,
    | "message"
    | "at"
    | "confirmation"
    | "passing_run"
    | "clause_findings"
    | "relation"
    | "expected"
    | "actual"
    | "counterexample"
    | "steps"
    | "exchanges"
    | "curl"
    | "webhooks"
  > & { readonly clauses: readonly string[] },
  clauses: readonly Clause[],
): readonly string[] {
  const exchange = check.curl === undefined ? undefined : check.exchanges?.at(-1);
  const stated = check.clauses.flatMap((id) => clauses.filter((clause) => clause.id === id));
  return [
    ...stated.flatMap(({ id, level, section, text }) =>
      field(`${id} (${level}, ${section}${clauseFinding(id, check.clause_findings)})`, text),
    ),
    ...field("message", check.message),
    ...field("at", check.at),
    ...field("confirmation", check.confirmation),
    ...field("expected", expectedText(check)),
    ...field("actual", check.actual),
    ...field("example", check.counterexample),
    ...field("steps", check.steps?.join("\n")),
    ...field(
      "exchange",
      exchange &&
        `${exchange.request.method} ${exchange.request.url} → ${exchange.response?.status ?? missingResponse(exchange.failure)}`,
    ),
    ...field("blamed", exchange?.blamed?.path),
    ...(check.webhooks ?? [])
      .slice(-1)
      .flatMap((webhook) => field("webhook", webhookText(webhook).join("\n"))),
    ...field("run that passed", check.passing_run?.steps?.join("\n")),
    ...field("repeat", check.curl),
  ];
}
