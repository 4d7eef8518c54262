import { createPrivateKey, type KeyObject, randomInt } from "node:crypto";
import type { DeclarationName } from "../../openapi/generated/declarations.ts";
import { type Claim, LEVELS, type Subject } from "../../suites/core/contract/claims.ts";
import { UsageError } from "../usage-error.ts";
import { asOfVersion, type Version } from "../versions/versions.ts";
import { firstGiven, type Given, inFile, list, pemFile, whole } from "./values.ts";
import { declaredNames } from "./without.ts";

/** Flags that every certifying command takes. */
export interface CommonFlags {
  claims?: string;
  without?: string[];
  asOf?: string;
  only?: string[];
  skip?: string[];
  seed?: string;
  strict?: boolean;
  baseline?: string;
  updateBaseline?: boolean;
  partial?: boolean;
  report?: string;
  wire?: string;
  sign?: string;
  color?: boolean;
  quiet?: boolean;
  json?: boolean;
}

/** Where choices of a run stand, for messages: a flag, a variable of the environment, or a member of the settings file. */
export interface Places {
  readonly claims: string;
  readonly without: string;
  readonly skip: string;
}

export const FLAGS: Places = { claims: "--claims", without: "--without", skip: "--skip" };

/** What any certification is to do, whatever it certifies. */
export interface CommonSettings {
  /** Undefined: every level that has checks. */
  readonly claims: readonly Claim[] | undefined;
  /** Names of what the subject is declared not to do. */
  readonly without: readonly DeclarationName[];
  /** The version that is judged as; undefined for this one. */
  readonly asOf?: Version | undefined;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly seed: number;
  readonly strict: boolean;
  /** File of known failures. */
  readonly baseline: string | undefined;
  /** Write what fails into it. */
  readonly updateBaseline: boolean;
  /** Whether a run of some checks alone ends in 0 where they all hold. */
  readonly partial: boolean;
  /** Folder that the report is written to. */
  readonly report: string | undefined;
  /** Whether the report holds all that was sent and came. */
  readonly wire: boolean;
  /** What the report's attestation is signed with. */
  readonly sign?: KeyObject;
  /** Flags where nothing is said. */
  readonly places?: Places;
}

/**
 * The levels that are named, of those that there are, in their order.
 * @throws UsageError for a name that is none
 */
function claimsFrom(
  given: Given<readonly string[]> | undefined,
  levels: readonly Claim[],
): readonly Claim[] | undefined {
  if (given === undefined) return undefined;
  const { value: names, from } = given;
  if (names.length === 0) throw new UsageError(`${from} names no level; there are ${levels.join(", ")}`);
  const unknown = names.find((name) => !levels.some((level) => level === name));
  if (unknown !== undefined) {
    throw new UsageError(`${from}: ${unknown || "(nothing)"} is not a level; there are ${levels.join(", ")}`);
  }
  return levels.filter((level) => names.includes(level));
}

/** What conform.yaml says of them, where neither flag nor environment does. */
export interface ConfiguredCommon {
  readonly claims?: readonly string[];
  readonly without?: readonly string[];
  readonly as_of?: string;
  readonly skip?: readonly string[];
  readonly baseline?: string;
}

/**
 * @param subject what is certified
 * @param file the settings file that the configured settings stand in
 * @throws UsageError in one line
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
    throw new UsageError("--update-baseline needs the file: give it with --baseline");
  }
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
    places: {
      claims: claims?.from ?? FLAGS.claims,
      without: without.from,
      skip: skip?.from ?? FLAGS.skip,
    },
    seed: whole(
      flags.seed ?? environment.CONFORM_SEED,
      randomInt(1, 2 ** 31),
      flags.seed === undefined ? "CONFORM_SEED" : "--seed",
      0,
      2 ** 31 - 1,
    ),
    strict: flags.strict ?? false,
    baseline,
    updateBaseline: flags.updateBaseline ?? false,
    partial: flags.partial ?? false,
    report: flags.report,
    wire: keepsWire(flags),
    ...(flags.sign !== undefined && { sign: signingKey(flags.sign, flags.report) }),
  };
}

function keepsWire({ wire = "on", report }: CommonFlags): boolean {
  if (wire !== "on" && wire !== "off") throw new UsageError(`--wire ${wire}: give on or off`);
  return wire === "on" && report !== undefined;
}

/** @throws UsageError that shows nothing of the file */
function signingKey(file: string, report: string | undefined): KeyObject {
  if (report === undefined)
    throw new UsageError("--sign needs a report to sign: give its folder with --report");
  const pem = pemFile(file, "--sign");
  try {
    return createPrivateKey(pem);
  } catch {
    throw new UsageError(
      `--sign ${file} is no private key in PEM without a passphrase (openssl genpkey -algorithm ed25519 makes one)`,
    );
  }
}
