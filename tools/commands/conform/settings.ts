import type { Credentials } from "../../../suites/server/session/identities/identity.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "../../../suites/server/session/sample-data/settings.ts";
import type { ReceiverSettings } from "../../../suites/server/session/webhook-receiver/receiver.ts";
import { NAME, VERSION } from "../../package.ts";
import { type CommonFlags, type CommonSettings, commonSettings } from "../../settings/common.ts";
import { type ConfigFile, configFileFrom, readConfigFile } from "../../settings/config-file.ts";
import { clientSecret, controlToken } from "../../settings/credential.ts";
import {
  duration,
  firstGiven,
  type Given,
  httpUrl,
  inFile,
  list,
  pemFile,
  wholeNumber,
} from "../../settings/values.ts";
import { UsageError } from "../../usage-error.ts";
import { type ImageSettings, imageFrom } from "./image-settings.ts";
import { type RepeatedFlags, type RepeatedParts, repeatedParts } from "./repeat-command.ts";

export interface ConformFlags extends CommonFlags, RepeatedFlags {
  url?: string;
  image?: string;
  config?: string;
  controlUrl?: string;
  shuffle?: boolean;
}

/** The settings of a conformance run, from flags, environment and conform.yaml, in this order. */
export interface ConformSettings extends CommonSettings {
  /** The service's base URL; undefined for an image or the embedded reference server. */
  readonly url: string | undefined;
  /** The container image to start for the run. */
  readonly image: ImageSettings | undefined;
  readonly credentials: readonly Credentials[];
  readonly pairingCodes: readonly string[];
  readonly control: { readonly url: string; readonly token: string } | undefined;
  /** The webhook receiver; undefined for a receiver on loopback or, for an image, at the container's gateway. */
  readonly receiver: ReceiverSettings | undefined;
  readonly point: { readonly lat: number; readonly lng: number };
  readonly configFile: string | undefined;
  /** The parts of the command to repeat the run that come from flags and the environment. */
  readonly repeated: RepeatedParts;
  readonly shuffle: boolean;
  /** The number of concurrent checks; undefined for a number that depends on the target's latency. */
  readonly jobs: number | undefined;
  readonly answerMs: number;
  readonly maxWaitMs: number;
  /** The User-Agent of requests. By default, requests have the User-Agents of common clients. */
  readonly userAgent?: string;
}

const DEFAULT_ANSWER_MS = 10_000;
/** Long enough for the second attempt of a webhook, which comes after five seconds, and its confirmation. */
const DEFAULT_MAX_WAIT_MS = 30_000;
const MAX_JOBS = 64;

function credentialsFrom(ids: readonly string[], secrets: readonly string[]): Credentials[] {
  if (ids.length !== secrets.length) {
    throw new UsageError(
      `${ids.length} client id(s) but ${secrets.length} client secret(s): give each --client-id its --client-secret (or CONFORM_CLIENT_SECRET)`,
    );
  }
  return ids.map((client_id, i) => ({ client_id, client_secret: secrets[i] ?? "" }));
}

function receiverFrom(config: NonNullable<ConfigFile["receiver"]>): ReceiverSettings {
  const { bind = LOOPBACK_RECEIVER.bind, public_url, cert, key } = config;
  if (!/^(\[[0-9a-fA-F:]+\]|[^:\s]+):\d{1,5}$/.test(bind)) {
    throw new UsageError(`receiver.bind takes host:port, such as 0.0.0.0:8443, not ${bind}`);
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw new UsageError("receiver.cert and receiver.key go together: give both or neither");
  }
  if (public_url !== undefined && !httpUrl(public_url, "receiver.public_url").startsWith("https://")) {
    throw new UsageError(`receiver.public_url must begin with https://: ${public_url}`);
  }
  return {
    bind,
    publicUrl: public_url,
    certificate:
      cert === undefined || key === undefined
        ? undefined
        : { cert: pemFile(cert, "receiver.cert"), key: pemFile(key, "receiver.key") },
  };
}

function pairingCodesFrom(codes: readonly string[]): readonly string[] {
  if (codes.every((code) => code.trim() !== "")) return codes;
  throw new UsageError("a pairing code is empty: give the code that the company issued, or omit it");
}

/** The control interface's URL. For an image, whose URL isn't known yet, it may be a path. */
function controlUrlFrom({ value, from }: Given, image: ImageSettings | undefined): string {
  return image && /^\/[^/?#]*$/.test(value) ? value : httpUrl(value, from);
}

const VARIABLES = [
  "CONFORM_URL",
  "CONFORM_CONTROL_URL",
  "CONFORM_CONTROL_TOKEN",
  "CONFORM_CLIENT_ID",
  "CONFORM_CLIENT_SECRET",
  "CONFORM_PAIRING_CODE",
];

/** A duration from the command line or the settings file. */
function durationFrom(
  flag: readonly [value: string | undefined, name: string],
  configured: readonly [value: string | undefined, place: string],
  fallbackMs: number,
): Given<number> {
  const { value, from } = firstGiven(flag, configured) ?? { value: undefined, from: flag[1] };
  return { value: duration(value, fallbackMs, from), from };
}

function answerMsFrom({ value: ms, from }: Given<number>): number {
  if (ms > 0) return ms;
  throw new UsageError(`${from} must be longer than 0, such as 10s`);
}

/** @throws UsageError */
export function conformSettings(flags: ConformFlags, environment: NodeJS.ProcessEnv): ConformSettings {
  const emptyVariable = VARIABLES.find((name) => environment[name]?.trim() === "");
  if (emptyVariable !== undefined)
    throw new UsageError(`${emptyVariable} is empty: set it to a value, or unset it`);
  const file = configFileFrom(flags.config, environment);
  const config = file === undefined ? {} : readConfigFile(file, environment);
  const image = imageFrom(flags, environment, config, file);
  const given = image
    ? undefined
    : firstGiven(
        [flags.url, "--url"],
        [environment.CONFORM_URL, "CONFORM_URL"],
        [config.url, inFile("url", file)],
      );
  const url = given && httpUrl(given.value, given.from);
  const target = image?.name ?? url;
  if (file !== undefined && target === undefined) {
    // A user with a settings file expects a run on their own server, so a verdict on the embedded server would
    // mislead the user.
    throw new UsageError(
      `${file} names no server: add url (or image) to it, or give --url; without a settings file the embedded server is certified`,
    );
  }
  const controlUrl = firstGiven(
    [flags.controlUrl, "--control-url"],
    [environment.CONFORM_CONTROL_URL, "CONFORM_CONTROL_URL"],
    [config.control?.url, inFile("control.url", file)],
  );
  const token = flags.controlToken ?? environment.CONFORM_CONTROL_TOKEN ?? config.control?.token;
  if (token !== undefined) controlToken(token);
  for (const [secret, from] of [
    ...(flags.clientSecret ?? []).map((secret) => [secret, "--client-secret"] as const),
    [environment.CONFORM_CLIENT_SECRET ?? "", "CONFORM_CLIENT_SECRET"] as const,
    ...(config.credentials ?? []).map(
      ({ client_secret }) => [client_secret, inFile("client_secret", file)] as const,
    ),
  ])
    clientSecret(secret, from);
  const secrets = flags.clientSecret ?? list(environment.CONFORM_CLIENT_SECRET);
  // Secrets without client ids belong to the integrators in the file.
  const ids =
    flags.clientId ??
    list(environment.CONFORM_CLIENT_ID) ??
    (secrets && config.credentials?.map(({ client_id }) => client_id));
  const credentials = ids || secrets ? credentialsFrom(ids ?? [], secrets ?? []) : (config.credentials ?? []);
  if (controlUrl !== undefined && token === undefined) {
    throw new UsageError("a control interface needs its token: set CONFORM_CONTROL_TOKEN or --control-token");
  }
  if (
    target === undefined &&
    (controlUrl !== undefined || credentials.length > 0 || flags.pairingCode !== undefined)
  ) {
    throw new UsageError(
      "credentials, pairing codes or a control interface are given, but no target: add --url or --image",
    );
  }
  if (target !== undefined && controlUrl === undefined && credentials.length === 0) {
    throw new UsageError(
      "no credentials: give --control-url with CONFORM_CONTROL_TOKEN, or credentials (and pairing codes) in conform.yaml or with --client-id and CONFORM_CLIENT_SECRET",
    );
  }
  const duplicate = credentials.find(({ client_id }, i) =>
    credentials.slice(0, i).some((other) => other.client_id === client_id),
  );
  if (duplicate)
    throw new UsageError(`client id ${duplicate.client_id} is given twice: give different integrators`);
  return {
    ...commonSettings(flags, environment, "server", config, file),
    image,
    url,
    credentials,
    pairingCodes: pairingCodesFrom(
      flags.pairingCode ?? list(environment.CONFORM_PAIRING_CODE) ?? config.pairing_codes ?? [],
    ),
    control:
      controlUrl === undefined || token === undefined
        ? undefined
        : { url: controlUrlFrom(controlUrl, image), token },
    receiver: config.receiver && receiverFrom(config.receiver),
    point: config.country_point ?? DEFAULT_POINT,
    configFile: flags.config ?? environment.CONFORM_CONFIG,
    repeated: repeatedParts(flags, environment),
    shuffle: flags.shuffle ?? false,
    jobs: jobsFrom(flags.jobs ?? config.jobs?.toString()),
    answerMs: answerMsFrom(
      durationFrom(
        [flags.timeout, "--timeout"],
        [config.timeout, inFile("timeout", file)],
        DEFAULT_ANSWER_MS,
      ),
    ),
    maxWaitMs: durationFrom(
      [flags.maxWait, "--max-wait"],
      [config.max_wait, inFile("max_wait", file)],
      DEFAULT_MAX_WAIT_MS,
    ).value,
    ...(flags.identify && { userAgent: `${NAME}/${VERSION}` }),
  };
}

const jobsFrom = (jobs: string | undefined): number | undefined =>
  jobs === undefined ? undefined : wholeNumber(jobs, 1, "--jobs", 1, MAX_JOBS);
