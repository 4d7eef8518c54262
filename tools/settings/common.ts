import { createPrivateKey, type KeyObject, randomInt } from "node:crypto";
import type { DeclarationName } from "../../openapi/generated/declarations.ts";
import { type Claim, LEVELS, type Subject } from "../../suites/core/contract/claims.ts";
import { UsageError } from "../usage-error.ts";
import { asOfVersion, type Version } from "../versions/versions.ts";
import { firstGiven, type Given, inFile, list, pemFile, wholeNumber } from "./values.ts";
import { declaredNames } from "./without.ts";

export interface CommonFlags {
  claims?: string;
  without?: string[];
  asOf?: string;
  only?: string[];
  skip?: string[];
  bail?: string | true;
  lastFailed?: boolean;
  changedSince?: string;
  seed?: string;
  strict?: boolean;
  baseline?: string;
  updateBaseline?: boolean;
  partial?: boolean;
  report?: string;
  record?: string;
  har?: boolean;
  sign?: string;
  color?: boolean;
  quiet?: boolean;
  json?: boolean;
  jsonLines?: boolean;
}

/** Where a run's settings came from, for messages: flags, environment variables, or members of the settings file. */
interface SettingSources {
  readonly claims: string;
  readonly without: string;
  readonly skip: string;
}

export const FLAGS: SettingSources = { claims: "--claims", without: "--without", skip: "--skip" };

export interface CommonSettings {
  /** The levels to certify; undefined for all levels with checks. */
  readonly claims: readonly Claim[] | undefined;
  readonly without: readonly DeclarationName[];
  /** The version whose rules apply; undefined for the current version. */
  readonly asOf?: Version | undefined;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** True to run only the failed checks of the last run. */
  readonly lastFailed?: boolean;
  /** The path of a report. Checks that passed in this report don't run. */
  readonly changedSince?: string | undefined;
  /** The number of failures that end the run. If undefined, failures don't end the run. */
  readonly bail?: number;
  readonly seed: number;
  readonly strict: boolean;
  readonly baseline: string | undefined;
  /** True to write the failures into the baseline. */
  readonly updateBaseline: boolean;
  /** True if a filtered run exits with 0 when all selected checks pass. */
  readonly partial: boolean;
  readonly report: string | undefined;
  /** True if report.html contains all exchanges, not only those of failures. */
  readonly wire: boolean;
  /** True if exchanges.har contains all exchanges, not only those of failures. */
  readonly har?: boolean;
  readonly sign?: KeyObject;
  /** The sources of three settings, for messages. Defaults to the flags. */
  readonly sources?: SettingSources;
}

/**
 * The claimed levels, in the order of `levels`; undefined if none were given.
 * @throws UsageError for an unknown name
 */
function claimsFrom(
  given: Given<readonly string[]> | undefined,
  levels: readonly Claim[],
): readonly Claim[] | undefined {
  if (given === undefined) return undefined;
  const { value: names, from } = given;
  if (names.length === 0) throw new UsageError(`${from} is empty; the levels are ${levels.join(", ")}`);
  const unknown = names.find((name) => !levels.some((level) => level === name));
  if (unknown !== undefined) {
    throw new UsageError(
      `${from}: ${unknown || "(nothing)"} is not a level; the levels are ${levels.join(", ")}`,
    );
  }
  return levels.filter((level) => names.includes(level));
}

/** The values from conform.yaml. A flag or an environment variable overrides them. */
interface ConfiguredCommon {
  readonly claims?: readonly string[];
  readonly without?: readonly string[];
  readonly as_of?: string;
  readonly skip?: readonly string[];
  readonly baseline?: string;
}

/**
 * @param subject the kind of target
 * @param file the settings file that contains the configured values
 * @throws UsageError
 */
export function commonSettings(
  flags: CommonFlags,
  environment: NodeJS.ProcessEnv,
  subject: Subject,
  configured: ConfiguredCommon = {},
  file?: string,
): CommonSettings {
  const baseline = flags.baseline ?? configured.baseline;
  if (flags.updateBaseline && baseline === undefined) {
    throw new UsageError("--update-baseline needs the baseline: give its file with --baseline");
  }
  const selectingFlags = {
    "--only": flags.only,
    "--last-failed": flags.lastFailed,
    "--changed-since": flags.changedSince,
  };
  const givenFlags = Object.entries(selectingFlags).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag],
  );
  if (givenFlags.length > 1)
    throw new UsageError(`${givenFlags.join(" and ")} exclude each other: give one of them`);
  const claims = firstGiven<readonly string[]>(
    [list(flags.claims), FLAGS.claims],
    [list(environment.CONFORM_CLAIMS), "CONFORM_CLAIMS"],
    [configured.claims, inFile("claims", file)],
  );
  const without = declaredNames(
    subject,
    firstGiven([flags.without, FLAGS.without], [list(environment.CONFORM_WITHOUT), "CONFORM_WITHOUT"]),
    { value: configured.without ?? [], from: inFile("without", file) },
  );
  const asOf = firstGiven(
    [flags.asOf, "--as-of"],
    [environment.CONFORM_AS_OF, "CONFORM_AS_OF"],
    [configured.as_of, inFile("as_of", file)],
  );
  const skip = firstGiven<readonly string[]>(
    [flags.skip, FLAGS.skip],
    [configured.skip, inFile("skip", file)],
  );
  return {
    claims: claimsFrom(claims, LEVELS[subject]),
    without: without.value,
    asOf: asOf && asOfVersion(asOf.value, { from: asOf.from }),
    only: flags.only ?? [],
    skip: skip?.value ?? [],
    sources: {
      claims: claims?.from ?? FLAGS.claims,
      without: without.from,
      skip: skip?.from ?? FLAGS.skip,
    },
    seed: wholeNumber(
      flags.seed ?? environment.CONFORM_SEED,
      randomInt(1, 2 ** 31),
      flags.seed === undefined ? "CONFORM_SEED" : "--seed",
      0,
      2 ** 31 - 1,
    ),
    strict: flags.strict ?? false,
    ...(flags.lastFailed && { lastFailed: true }),
    ...(flags.changedSince !== undefined && { changedSince: flags.changedSince }),
    ...(flags.bail !== undefined && {
      bail: flags.bail === true ? 1 : wholeNumber(flags.bail, 1, "--bail", 1, 10_000),
    }),
    baseline,
    updateBaseline: flags.updateBaseline ?? false,
    partial: flags.partial ?? false,
    report: flags.report,
    wire: recordsAll(flags),
    ...(flags.har && { har: true }),
    ...(flags.sign !== undefined && { sign: signingKey(flags.sign, flags.report) }),
  };
}

function recordsAll({ record, har = false, report }: CommonFlags): boolean {
  if (record !== undefined && record !== "all" && record !== "failures")
    throw new UsageError(`--record ${record}: give all or failures`);
  if (record !== undefined && report === undefined)
    throw new UsageError("--record needs a folder to write to: give --report");
  if (har && report === undefined) throw new UsageError("--har needs a folder to write to: give --report");
  if (har && record === "failures")
    throw new UsageError("--har and --record failures exclude each other: give one of them");
  return record !== "failures" && report !== undefined;
}

/** @throws UsageError, whose message doesn't contain the key */
function signingKey(file: string, report: string | undefined): KeyObject {
  if (report === undefined)
    throw new UsageError("--sign needs a report to sign: give its folder with --report");
  const pem = pemFile(file, "--sign", "give the private key's file, in PEM");
  try {
    return createPrivateKey(pem);
  } catch {
    throw new UsageError(
      `--sign ${file} isn't a private key in PEM without a passphrase (openssl genpkey -algorithm ed25519 makes one)`,
    );
  }
}
