import type { Command } from "commander";
import { LEVELS, type Subject } from "../../suites/core/contract/claims.ts";
import { declarable } from "../settings/without.ts";
import { patterns, several } from "./command-context.ts";

/** Flags for the server's address and credentials. */
export const targetOptions = (command: Command): Command =>
  command
    .option(
      "--url <url>",
      "base URL of the service (default: the embedded reference server; required if a settings file names no server)",
    )
    .option("--image <name>", "container image of the service, started for the run")
    .option("--config <file>", "settings file (default: ./conform.yaml if there is one)")
    .option(
      "--control-url <url>",
      "address of the target's control interface; for an image its path, /control",
    )
    .option("--control-token <token>", "token of the control interface; better in CONFORM_CONTROL_TOKEN")
    .option("--client-id <id>", "an integrator's client id; twice for two integrators", several)
    .option(
      "--client-secret <secret>",
      "its secret, in the same order; better in CONFORM_CLIENT_SECRET",
      several,
    )
    .option("--pairing-code <code>", "an unused pairing code; may be given several times", patterns)
    .option(
      "--identify",
      "send the suite's name (user-agent) and a trace id (traceparent) with each request (default: headers of an ordinary client)",
    )
    .option("--timeout <duration>", "how long one response may take (default: 10s)");

/** Flags that all certifying commands share. */
export const commonOptions = (command: Command, subject: Subject): Command =>
  certifyingOptions(command, subject)
    .option(
      "--record <which>",
      "requests, responses and webhooks in report.html: all, or those of failures (default: all)",
    )
    .option(
      "--har",
      "write all requests, responses and webhooks to exchanges.har, not only those of failures",
    );

const certifyingOptions = (command: Command, subject: Subject): Command =>
  command
    .option("--claims <levels>", `levels to certify: ${LEVELS[subject].join(",")} (default: all)`)
    .option(
      "--without <names>",
      `optional cases that never occur with this ${subject}: their clauses aren't applicable, and the run fails if one occurs; of ${declarable(subject).join(", ")}`,
      patterns,
    )
    .option(
      "--as-of <version>",
      "judge as this version did, such as 0.1 or previous; failures of newer checks are reported but don't count",
    )
    .option(
      "--only <ids>",
      "only these checks: ids, groups, clause ids, globs, MUST or SHOULD, an operation such as 'POST /v1/quotes', or a topic such as webhooks; separated by commas",
      patterns,
    )
    .option("--skip <ids>", "all except these checks", patterns)
    .option(
      "--last-failed",
      "only the checks that failed or were blocked in the last run in this folder (.courier-conform/last.json)",
    )
    .option("--changed-since <report>", "only the checks that didn't pass in this report, or are new since")
    .option("--partial", "exit with 0 if all checks selected by --only and --skip pass")
    .option("--list", "list the checks and run nothing; with --only, those that match an id or a word")
    .option("--explain <id>", "explain a check or a clause and run nothing")
    .option(
      "--bail [number]",
      "end the run after this many failed MUST checks (default: 1); with --strict SHOULD checks count too",
    )
    .option("--seed <number>", "seed of everything random (default: a new one)")
    .option("--strict", "failed SHOULD clauses count like MUST clauses")
    .option(
      "--baseline <file>",
      "file of known failures: the exit code is 0 while nothing else fails; an entry that passes fails the run",
    )
    .option("--update-baseline", "write the current failures into the baseline")
    .option("--report <dir>", "write the report's files to this folder")
    .option("--sign <key>", "sign the report's attestation with this private key (a file in PEM)")
    .option("--no-color", "plain text")
    .option("--quiet", "print only the causes of failures and the verdict, in fewer than ten lines")
    .option("--json", "print report.json and nothing else; with --list or --explain print JSON")
    .option("--json-lines", "print each result as a JSON line as soon as it is found, and the verdict last");

export const EXIT_CODES_HELP =
  "\nExit codes: 0 CONFORMANT, 1 NONCONFORMANT, 2 INCOMPLETE, 3 ERROR (usage,\n" +
  "configuration, unreachable target).";
