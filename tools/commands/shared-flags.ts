import type { Command } from "commander";
import { LEVELS, type Subject } from "../../suites/core/contract/claims.ts";
import { declarable } from "../settings/without.ts";
import { patterns, several } from "./command-context.ts";

/** Flags that say which server is meant, and how to get in. */
export const targetOptions = (command: Command): Command =>
  command
    .option(
      "--url <url>",
      "base address of the service (default: the embedded reference server; needed with a settings file that names none)",
    )
    .option("--image <name>", "container image to start, certify and stop")
    .option("--config <file>", "settings file (default: ./conform.yaml if there is one)")
    .option(
      "--control-url <url>",
      "address of the target's control interface; of an image also its path: /control",
    )
    .option("--control-token <token>", "its token; better in CONFORM_CONTROL_TOKEN")
    .option("--client-id <id>", "an integrator's client id; twice for two integrators", several)
    .option(
      "--client-secret <secret>",
      "its secret, in the same order; better in CONFORM_CLIENT_SECRET",
      several,
    )
    .option("--pairing-code <code>", "an unused pairing code; as often as there are codes", patterns)
    .option(
      "--as <who>",
      "what requests say of themselves: client, an ordinary one, or suite, which also sends trace ids (default: client)",
    )
    .option("--timeout <duration>", "how long one answer may take (default: 10s)");

/** Flags of every certifying command, and of the settings common to them. */
export const commonOptions = (command: Command, subject: Subject): Command =>
  certifyingOptions(command, subject).option(
    "--wire <on|off>",
    "whether the report holds all that was sent and came (default: on)",
  );

const certifyingOptions = (command: Command, subject: Subject): Command =>
  command
    .option("--claims <levels>", `what is claimed: of ${LEVELS[subject].join(",")} (default: all)`)
    .option(
      "--without <names>",
      `what the ${subject} never does, so that its clauses aren't applicable: of ${declarable(subject).join(", ")}; a run that sees it fails`,
      patterns,
    )
    .option(
      "--as-of <version>",
      "judge as this version did, 0.1 or previous; what newer checks find is shown as coming, and doesn't count",
    )
    .option(
      "--only <ids>",
      "only these checks: ids, groups, clause ids, globs, MUST or SHOULD, an operation such as 'POST /v1/quotes', or webhooks; with commas",
      patterns,
    )
    .option("--skip <ids>", "all but these checks", patterns)
    .option(
      "--last-failed",
      "only the checks that failed or were blocked in the last run here (.courier-conform/last.json)",
    )
    .option(
      "--changed-since <report>",
      "only the checks that this report doesn't show passed: failed, unverified or new since",
    )
    .option("--partial", "end in 0 where all of the checks that --only and --skip leave hold")
    .option("--list", "list the checks, and run nothing; with --only those alone, found by words too")
    .option("--explain <id>", "explain a check or a clause, and run nothing")
    .option(
      "--bail [number]",
      "end the run after so many failed MUST checks (1); with --strict SHOULD checks count too",
    )
    .option("--seed <number>", "seed of everything random (default: a new one)")
    .option("--strict", "failed SHOULD clauses count like MUST clauses")
    .option(
      "--baseline <file>",
      "known failures: they turn the exit code to 0, and fail the run once they pass",
    )
    .option("--update-baseline", "write what fails now into that file")
    .option("--report <dir>", "write the report's files there")
    .option("--sign <key>", "sign the report's attestation with this private key (a file in PEM)")
    .option("--no-color", "plain text")
    .option("--quiet", "only the causes of failures and the verdict, in fewer than ten lines")
    .option(
      "--json",
      "report.json on standard output, and nothing else; with --list or --explain the answer as data",
    )
    .option(
      "--json-lines",
      "an object for each result as it is found, one a line, and the verdict at the end",
    );

export const EXIT_CODES_HELP =
  "\nExit codes: 0 CONFORMANT, 1 NONCONFORMANT, 2 INCOMPLETE, 3 ERROR (usage,\n" +
  "configuration, unreachable target).";
