import { randomUUID } from "node:crypto";

/** Lines that a runner of GitHub Actions would act on, wherever they come from. */
const COMMAND = /^\s*(::|##\[)/m;

/**
 * Text for a job's log in which nothing is a workflow command: what a target answers is printed, and must not be able
 * to mark the job or to mask its log.
 */
export function withoutCommands(text: string): string {
  if (!COMMAND.test(text)) return text;
  const token = randomUUID();
  return `::stop-commands::${token}\n${text}\n::${token}::`;
}
