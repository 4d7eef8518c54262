import type { Command } from "commander";
import { LEVELS, type Subject } from "../../suites/core/contract/claims.ts";
import { declarationNames } from "../settings/without.ts";
import { commaSeparated, repeatable } from "./command-context.ts";

/** Flags for the server's address and credentials. */
export const targetOptions = (command: Command): Command =>
  command
    .option(
      "--url <url>",
      "base URL of the service (default: the embedded reference server; required with a settings file that names no server)",
    )
    .option("--image <name>", "container image of the service, started for the run")
    .option("--config <file>", "settings file (default: ./conform.yaml if there is one)")
    .option("--control-url <url>", "URL of the target's control interface; with --image, its path: /control")
    .option("--control-token <token>", "token of the control interface; safer in CONFORM_CONTROL_TOKEN")
    .option("--client-id <id>", "an integrator's client id; give it twice for two integrators", repeatable)
    .option(
      "--client-secret <secret>",
      "secret of the client id at the same position; safer in CONFORM_CLIENT_SECRET",
      repeatable,
    )
    .option("--pairing-code <code>", "an unused pairing code; may be given several times", commaSeparated)
    .option(
      "--identify",
      "send the suite's name (user-agent) and a trace id (traceparent) with each request (default: headers of an ordinary client)",
    )
    .option("--timeout <duration>", "how long one response may take (default: 10s)");

/** The flags of conform, receiver and client. */
export const commonOptions = (command: Command, subject: Subject): Command =>
  certifyingOptions(command, subject)
    .option(
      "--record <which>",
      "requests, responses and webhooks in report.html: all, or failures for only those of failed checks (default: all)",
    )
    .option(
      "--har",
      "write all requests, responses and webhooks to exchanges.har, not only those of failed checks",
    );

const certifyingOptions = (command: Command, subject: Subject): Command =>
  command
    .option("--claims <levels>", `levels to certify: ${LEVELS[subject].join(",")} (default: all)`)
    .option(
      "--without <names>",
      `optional cases that never occur with this ${subject}: their clauses don't apply, and the run fails if such a case occurs. Names: ${declarationNames(subject).join(", ")}`,
      commaSeparated,
    )
    .option(
      "--as-of <version>",
      "judge as an earlier version did: 0.1, or previous; failures of newer checks are reported but don't count",
    )
    .option(
      "--only <ids>",
      "run only these checks: ids, groups, clause ids, globs, MUST or SHOULD, an operation such as 'POST /v1/quotes', or a topic such as webhooks; separated by commas",
      commaSeparated,
    )
    .option("--skip <ids>", "run all checks except these (same values as --only)", commaSeparated)
    .option(
      "--last-failed",
      "run only the checks that failed or were blocked in the last run in this folder (.courier-conform/last.json)",
    )
    .option(
      "--changed-since <report>",
      "run only the checks that didn't pass in this report, and the checks that it doesn't contain",
    )
    .option("--partial", "exit with 0 if all checks selected by --only and --skip pass")
    .option("--list", "list the checks and run nothing; with --only, those that match an id or a word")
    .option("--explain <id>", "explain a check or a clause and run nothing")
    .option(
      "--bail [number]",
      "end the run after this number of failed MUST checks (without a number: 1); with --strict, SHOULD checks count too",
    )
    .option("--seed <number>", "seed of all random values (default: a new seed)")
    .option("--strict", "failed SHOULD clauses count like MUST clauses")
    .option(
      "--baseline <file>",
      "file of known failures: the exit code is 0 if no other clause fails, and 1 if a listed clause passes",
    )
    .option("--update-baseline", "add new failures to the baseline, and remove entries whose clause passes")
    .option("--report <dir>", "write the report's files to this folder")
    .option("--sign <key>", "sign the report's attestation with this private key (a file in PEM)")
    .option("--no-color", "print without colours")
    .option("--quiet", "print only the causes of failures and the verdict, on fewer than ten lines")
    .option("--json", "print report.json and nothing else; with --list or --explain print JSON")
    .option("--json-lines", "print each result as a JSON line as soon as it is found, and the verdict last");

export const EXIT_CODES_HELP =
  "\nExit codes: 0 CONFORMANT, 1 NONCONFORMANT, 2 INCOMPLETE, 3 ERROR (usage,\n" +
  "configuration, unreachable target).";
