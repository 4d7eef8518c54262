import type { DeclarationName } from "../../../openapi/generated/declarations.ts";
import {
  DEFAULT_KINDS,
  DELIVERY_KINDS,
  type EventKind,
  kindsLeftOut,
} from "../../../suites/core/contract/event-kinds.ts";
import { ANSWER_LIMIT_MS, type ReceiverTarget } from "../../../suites/receiver/session/settings.ts";
import { STATES_WITHOUT_STRING, type Statuses } from "../../../suites/receiver/session/statuses.ts";
import { type CommonFlags, type CommonSettings, commonSettings } from "../../settings/common.ts";
import { configFileFrom, readConfigFile } from "../../settings/config-file.ts";
import {
  duration,
  firstGiven,
  type Given,
  httpUrl,
  inFile,
  list,
  wholeNumber,
} from "../../settings/values.ts";
import { webhookSecret } from "../../settings/webhook-secret.ts";
import { UsageError } from "../../usage-error.ts";
import { MAX_JOBS } from "./outlook.ts";

function kindOf(name: string, from: string): EventKind {
  const kind = DELIVERY_KINDS.find((one) => one === name);
  if (kind !== undefined) return kind;
  throw new UsageError(
    `${from}: ${name || "(nothing)"} isn't an event type of a subscription; the types are ${DELIVERY_KINDS.join(", ")}`,
  );
}

/**
 * The event types of the receiver's subscription.
 * @param given the list's value; undefined for the default types
 * @throws UsageError in one line
 */
function eventTypesFrom(given: Given<readonly string[]> | undefined): readonly EventKind[] {
  if (given === undefined) return DEFAULT_KINDS;
  const { value: names, from } = given;
  if (names.length === 0) throw new UsageError(`${from} names no event type: omit it for the default types`);
  return [...new Set(names.map((name) => kindOf(name, from)))];
}

/** The declaration of a receiver whose subscription omits default event types. */
const OTHER_KINDS = "other-event-types" satisfies DeclarationName;

/**
 * Adds the declaration if the list omits default event types.
 * @throws UsageError if the declaration is given without a list
 */
function withoutOtherKinds(
  declared: readonly DeclarationName[],
  eventTypes: readonly EventKind[],
): readonly DeclarationName[] {
  const others = declared.filter((name) => name !== OTHER_KINDS);
  if (kindsLeftOut(eventTypes).length > 0) return [...others, OTHER_KINDS];
  if (others.length === declared.length) return declared;
  throw new UsageError(
    `--without ${OTHER_KINDS} needs --event-types: the event types of the receiver's subscription`,
  );
}

const NAMES = STATES_WITHOUT_STRING.join(", ");

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, "");

/** A state and its string, from `delivered=TESLIM` or from a string that spells the state's name, such as `AT_PICKUP`. */
function entryOf(entry: string): readonly [name: string, string: string] {
  const [before = "", ...after] = entry.split("=");
  const named = after.length > 0;
  const string = named ? after.join("=").trim() : before.trim();
  const name = STATES_WITHOUT_STRING.find((one) =>
    named ? one === before.trim() : letters(one) === letters(string),
  );
  if (name === undefined && named) {
    throw new UsageError(
      `--statuses: ${before.trim()} isn't a state with an unspecified status string; the states are ${NAMES}`,
    );
  }
  if (name === undefined || string === "") {
    throw new UsageError(
      `--statuses: ${entry} names no state: write it like delivered=TESLIM; the states are ${NAMES}`,
    );
  }
  return [name, string];
}

/**
 * The service's strings for states, from a flag.
 * @param entries `at_pickup=RESTORANDA`, or a string that spells its state's name: `AT_PICKUP`
 * @throws UsageError in one line
 */
function statusesFrom(entries: readonly string[]): Statuses {
  const pairs = entries.map(entryOf);
  const twice = pairs.find(([name], i) => pairs.slice(0, i).some(([other]) => other === name));
  if (twice) throw new UsageError(`--statuses gives ${twice[0]} twice`);
  return Object.fromEntries(pairs);
}

export interface ReceiverFlags extends CommonFlags {
  url?: string;
  secret?: string;
  effects?: string;
  jobs?: string;
  timeout?: string;
  effectWithin?: string;
  config?: string;
  statuses?: string[];
  eventTypes?: string[];
}

export interface ReceiverSettings extends CommonSettings {
  readonly target: ReceiverTarget;
  /** The number of concurrent checks; undefined for a number that depends on the receiver's latency. */
  readonly jobs: number | undefined;
  readonly configFile: string | undefined;
}

/** How long to wait for a receiver that doesn't respond because it restarts. */
const RECOVERY_MS = 10_000;
/** The default of --effect-within. */
const EFFECT_MS = 30_000;

/** Validates the receiver's URL. Unlike other URLs, it may have a query. */
function endpoint(value: string, from: string): string {
  if (value.includes("#")) throw new UsageError(`${from} must have no # part`);
  if (URL.parse(value)?.username) {
    throw new UsageError(
      `${from} must not contain a user or password: the service sends neither, so a receiver can't require them`,
    );
  }
  const [path = "", ...query] = value.split("?");
  httpUrl(path, from);
  return query.length === 0 ? path : `${path}?${query.join("?")}`;
}

function receiverSecret(value: string | undefined): string {
  const advice = "give the receiver's secret in CONFORM_WEBHOOK_SECRET (or with --secret)";
  if (value === undefined || value === "") throw new UsageError(`no secret to sign with: ${advice}`);
  return webhookSecret(value, advice);
}

/** @throws UsageError */
export function receiverSettings(flags: ReceiverFlags, environment: NodeJS.ProcessEnv): ReceiverSettings {
  const url = flags.url ?? environment.CONFORM_RECEIVER_URL;
  if (url === undefined || url === "") {
    throw new UsageError(
      "no receiver to certify: give the URL of its webhooks with --url (or CONFORM_RECEIVER_URL)",
    );
  }
  const file = configFileFrom(flags.config, environment);
  const config =
    file === undefined
      ? {}
      : readConfigFile(file, environment, ["statuses", "event_types", "without", "as_of"]);
  const common = commonSettings(flags, environment, "receiver", config, file);
  const eventTypes = eventTypesFrom(
    firstGiven(
      [flags.eventTypes, "--event-types"],
      [list(environment.CONFORM_EVENT_TYPES), "CONFORM_EVENT_TYPES"],
      [config.event_types, inFile("event_types", file)],
    ),
  );
  const statuses = flags.statuses ?? list(environment.CONFORM_STATUSES);
  const effects = flags.effects ?? environment.CONFORM_EFFECTS_URL;
  const answerMs = duration(flags.timeout, ANSWER_LIMIT_MS, "--timeout");
  if (answerMs < 1 || answerMs > ANSWER_LIMIT_MS) {
    throw new UsageError(
      `--timeout takes at most ${ANSWER_LIMIT_MS / 1000}s, the specification's limit for a receiver`,
    );
  }
  return {
    ...common,
    without: withoutOtherKinds(common.without, eventTypes),
    target: {
      url: endpoint(url, flags.url === undefined ? "CONFORM_RECEIVER_URL" : "--url"),
      secret: receiverSecret(flags.secret ?? environment.CONFORM_WEBHOOK_SECRET),
      effectsUrl:
        effects === undefined || effects === ""
          ? undefined
          : httpUrl(effects, flags.effects === undefined ? "CONFORM_EFFECTS_URL" : "--effects"),
      eventTypes,
      statuses: statuses ? statusesFrom(statuses) : (config.statuses ?? {}),
      answerMs,
      limitMs: ANSWER_LIMIT_MS,
      returnMs: RECOVERY_MS,
      effectMs: duration(flags.effectWithin, EFFECT_MS, "--effect-within"),
    },
    configFile: flags.config ?? environment.CONFORM_CONFIG,
    jobs: flags.jobs === undefined ? undefined : wholeNumber(flags.jobs, MAX_JOBS, "--jobs", 1, MAX_JOBS),
  };
}
