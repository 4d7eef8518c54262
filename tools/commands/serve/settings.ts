import { SHORTEST_CONTROL_TOKEN } from "../../../reference-server/settings.ts";
import type { Faults } from "../../../sandbox/faults/fault-switch.ts";
import { longestDelayMs } from "../../../sandbox/faults/prefer.ts";
import { FASTEST_COURIERS, type SimulatorOptions, speedOf } from "../../../sandbox/simulator/options.ts";
import { commandLine, commandWith } from "../../../suites/core/command-line.ts";
import { ALL_KINDS, DEFAULT_KINDS, TEST_KIND } from "../../../suites/core/contract/event-kinds.ts";
import { controlToken } from "../../settings/credential.ts";
import { duration, firstGiven, list, wholeNumber } from "../../settings/values.ts";
import { webhookSecret } from "../../settings/webhook-secret.ts";
import { UsageError } from "../../usage-error.ts";

export interface ServeFlags {
  port?: string;
  host?: string;
  database?: string;
  speed?: string;
  seed?: string;
  simulator: boolean;
  couriers?: string;
  forwardTo?: string[];
  forwardHeader?: string[];
  logs?: string | true;
  latency?: string;
  errorRate?: string;
  secret?: string;
  events?: string;
  clientId?: string;
  pairingCode?: string[];
  json?: boolean;
}

export interface ServeSettings {
  readonly port: number;
  readonly host: string | undefined;
  readonly database: string | undefined;
  /** The URL for users, if it differs from the listening address. */
  readonly publicUrl: string | undefined;
  /** Undefined to generate one. */
  readonly controlToken: string | undefined;
  readonly simulation: SimulatorOptions | null;
  /** The number of couriers on shift for each linked store; undefined for the server's default. */
  readonly couriers: number | undefined;
  readonly forwarding: ForwardingSettings | undefined;
  /** Which requests and delivery attempts to print. */
  readonly logs: "all" | "errors" | "none";
  readonly faults: Faults;
  /** The first integrator's client id; undefined for a generated id. */
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly pairingCodes: readonly string[];
}

interface ForwardingSettings {
  readonly urls: readonly string[];
  /** Headers to add to each event. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined to generate one. */
  readonly secret: string | undefined;
  readonly kinds: readonly string[];
}

const DEFAULT_PORT = 8080;
const DEFAULT_SPEED = "60";
const MAX_COURIERS = 200;
/** The specification's limit for an integrator, in "Webhook subscriptions". */
const MAX_ENDPOINTS = 5;

/** @throws UsageError */
export function serveSettings(flags: ServeFlags, environment: NodeJS.ProcessEnv): ServeSettings {
  const given = (name: string) => environment[name]?.trim() || undefined;
  const clientId = firstGiven([flags.clientId, "--client-id"], [given("CLIENT_ID"), "CLIENT_ID"]);
  const codes = firstGiven(
    [flags.pairingCode, "--pairing-code"],
    [list(given("PAIRING_CODE")), "PAIRING_CODE"],
  );
  return {
    port: portFrom(flags.port),
    host: flags.host,
    database: flags.database,
    publicUrl: publicUrlFrom(given("PUBLIC_URL")),
    controlToken: controlTokenFrom(environment.CONTROL_TOKEN || undefined),
    simulation: simulationFrom(flags),
    couriers:
      flags.couriers === undefined
        ? undefined
        : wholeNumber(flags.couriers, 0, "--couriers", 1, MAX_COURIERS),
    forwarding: forwardingFrom(flags, environment),
    logs: logsFrom(flags.logs),
    faults: {
      latencyMs: latencyFrom(flags.latency),
      errorRate: rateFrom(flags.errorRate),
    },
    clientId: clientId && word(clientId.value, clientId.from),
    clientSecret: given("CLIENT_SECRET") && word(given("CLIENT_SECRET") ?? "", "CLIENT_SECRET", true),
    pairingCodes: [...new Set(codes?.value.map((code) => word(code, codes.from)))],
  };
}

function portFrom(value: string | undefined): number {
  if (value === undefined) return DEFAULT_PORT;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new UsageError(`--port takes a number from 0 to 65535 (0 for any free port), not ${value}`);
}

function publicUrlFrom(value: string | undefined): string | undefined {
  if (value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? ""))
    return value?.replace(/\/+$/, "");
  throw new UsageError(`PUBLIC_URL must be an http or https URL: ${value}`);
}

function controlTokenFrom(value: string | undefined): string | undefined {
  if (value === undefined || value.length >= SHORTEST_CONTROL_TOKEN) return value && controlToken(value);
  throw new UsageError(
    `CONTROL_TOKEN needs ${SHORTEST_CONTROL_TOKEN} characters or more: use a random value`,
  );
}

function simulationFrom({
  simulator,
  speed: givenSpeed,
  seed: givenSeed,
}: ServeFlags): SimulatorOptions | null {
  if (!simulator && (givenSpeed ?? givenSeed) !== undefined) {
    const flag = givenSpeed === undefined ? "--seed" : "--speed";
    throw new UsageError(`${flag} has no effect with --no-simulator: omit one of them`);
  }
  const { speed = DEFAULT_SPEED, seed = "1" } = { speed: givenSpeed, seed: givenSeed };
  const times = speedOf(speed);
  if (times === undefined) {
    throw new UsageError(
      `--speed takes a number above 0 and up to ${FASTEST_COURIERS} (1 is real time), not ${speed}`,
    );
  }
  return simulator ? { seed, speed: times } : null;
}

function forwardingFrom(
  { forwardTo, forwardHeader, secret, events }: ServeFlags,
  environment: NodeJS.ProcessEnv,
): ForwardingSettings | undefined {
  const given = firstGiven([forwardTo, "--forward-to"], [list(environment.FORWARD_TO), "FORWARD_TO"]);
  if (given === undefined || given.value.length === 0) {
    const [flag] = Object.entries({
      "--secret": secret,
      "--events": events,
      "--forward-header": forwardHeader,
    })
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name);
    if (flag !== undefined) throw new UsageError(`${flag} needs a receiver: --forward-to`);
    return undefined;
  }
  const { value, from } = given;
  const urls = [...new Set(value.map((url) => forwardUrl(url, from)))];
  if (urls.length > MAX_ENDPOINTS) {
    throw new UsageError(
      `${from} takes at most ${MAX_ENDPOINTS} receivers: an integrator has no more endpoints`,
    );
  }
  const known = secret ?? (environment.WEBHOOK_SECRET || undefined);
  const advice = `set --secret (or WEBHOOK_SECRET) to a secret of the form whsec_…, for example one from ${commandLine("samples")}, or omit it`;
  return {
    urls,
    headers: Object.fromEntries((forwardHeader ?? []).map(header)),
    secret: known === undefined ? undefined : webhookSecret(known, advice),
    kinds: kindsFrom(events),
  };
}

/** Validates a receiver's URL. Unlike for a subscription, http and this machine are allowed: the user owns the receiver. */
function forwardUrl(value: string, from: string): string {
  const example = "localhost:3000/hooks";
  const hasScheme = value.includes("://");
  const hasPort = /^([\w.-]+|\[[\da-f:]+\])?:\d+(\/|$)/i.test(value);
  const url = URL.parse(hasScheme || !hasPort ? value : `http://${value.replace(/^:/, "localhost:")}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `${from} takes a host and port, or an http or https URL, such as ${example}, not ${value}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(`${from} must not contain a user or password: give a URL such as ${example}`);
  }
  if (url.hash !== "") throw new UsageError(`${from} must have no # part: ${value}`);
  return url.href;
}

/** Headers that the service or the HTTP client sets. */
const RESERVED_HEADERS = /^(webhook-.*|content-(type|length)|host|connection|transfer-encoding|user-agent)$/;

/** @throws UsageError, whose message doesn't contain the header's value, because it may be a key */
function header(text: string): [string, string] {
  const [, name = "", value = ""] = /^([\w!#$%&'*+.^`|~-]+):\s*([\t\x20-\x7e]+)$/.exec(text) ?? [];
  if (name === "") throw new UsageError('--forward-header takes a header such as "x-tenant: moda"');
  if (RESERVED_HEADERS.test(name.toLowerCase()))
    throw new UsageError(`--forward-header can't set ${name}: events have their own`);
  return [name.toLowerCase(), value.trim()];
}

function logsFrom(value: string | true | undefined): ServeSettings["logs"] {
  if (value === undefined) return "none";
  if (value === true || value === "all") return "all";
  if (value === "errors") return "errors";
  throw new UsageError(`--logs takes all or errors, not ${value}`);
}

function latencyFrom(value: string | undefined): number {
  const ms = duration(value, 0, "--latency");
  if (ms <= longestDelayMs) return ms;
  throw new UsageError(`--latency takes ${longestDelayMs / 1000}s at most, not ${value}`);
}

function rateFrom(value: string | undefined): number {
  if (value === undefined) return 0;
  const [, percent] = /^(\d{1,3}(?:\.\d+)?)%$/.exec(value) ?? [];
  if (percent !== undefined && Number(percent) <= 100) return Number(percent) / 100;
  throw new UsageError(`--error-rate takes a percentage up to 100%, such as 2%, not ${value}`);
}

function kindsFrom(events: string | undefined): readonly string[] {
  if (events === undefined) return DEFAULT_KINDS;
  const known: readonly string[] = ALL_KINDS.filter((kind) => kind !== TEST_KIND);
  if (events === "all") return known;
  const asked = list(events) ?? [];
  const unknown = asked.find((kind) => !known.includes(kind));
  if (asked.length > 0 && unknown === undefined) return asked;
  throw new UsageError(
    `--events takes all, or event types such as delivery.created,delivery.failed (${commandWith("trigger", "--list")} shows them), not ${unknown ?? events}`,
  );
}

/** A value without spaces. @throws UsageError, whose message contains the value unless it is a secret */
function word(value: string, from: string, isSecret = false): string {
  if (/^[!-~]{1,200}$/.test(value)) return value;
  throw new UsageError(
    `${from} takes up to 200 ASCII characters without spaces${isSecret ? "" : `, not ${value}`}`,
  );
}
