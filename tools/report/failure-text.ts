import type { ReportContext, ReportedCheck } from "./model.ts";

const field = (name: string, text: string | undefined): readonly string[] =>
  text === undefined ? [] : [`${name}: ${text}`];

/** What a failed check found, as plain text for outputs that have no other form: clauses, difference, repetition. */
export function failureText(check: ReportedCheck, { clauses, repeatCommand }: ReportContext): string {
  const exchange = check.exchanges?.at(-1);
  const stated = check.clauses.flatMap((id) => clauses.filter((clause) => clause.id === id));
  return [
    ...stated.flatMap(({ id, level, section, text }) => field(`${id} (${level}, ${section})`, text)),
    ...field("message", check.message),
    ...field("expected", check.expected),
    ...field("actual", check.actual),
    ...field("example", check.counterexample),
    ...field(
      "exchange",
      exchange &&
        `${exchange.request.method} ${exchange.request.url} → ${exchange.response?.status ?? `no answer (${exchange.failure})`}`,
    ),
    ...field("repeat", check.curl),
    ...field("alone", `${repeatCommand} --only ${check.id}`),
  ].join("\n");
}
