import { readFileSync } from "node:fs";
import { commandLine } from "../../../suites/core/command-line.ts";
import { ALL_KINDS, type EventKind } from "../../../suites/core/contract/event-kinds.ts";
import { isObject, parseJson, textOf } from "../../../suites/core/json.ts";
import { controlToken } from "../../settings/credential.ts";
import { httpUrl, wholeNumber } from "../../settings/values.ts";
import { UsageError } from "../../usage-error.ts";

export interface TriggerFlags {
  list?: boolean;
  order?: string;
  set?: string[];
  data?: string;
  again?: string;
  controlUrl?: string;
  clientId?: string;
  count?: string;
  repeat?: string;
  single?: boolean;
  outOfOrder?: boolean;
  parallel?: boolean;
  json?: boolean;
}

/** A request for new events of a type. */
export interface TriggerRequest {
  readonly type: EventKind;
  readonly client_id?: string;
  readonly order?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly set?: Readonly<Record<string, string>>;
  readonly deliveries: number;
  readonly copies: number;
  readonly single: boolean;
  readonly reversed: boolean;
  readonly parallel: boolean;
}

/** A request to repeat a past event, by its webhook-id. */
export interface RedeliveryRequest {
  readonly event_id: string;
  readonly client_id?: string;
}

export interface TriggerSettings {
  readonly controlUrl: string;
  readonly token: string;
  readonly request: TriggerRequest | RedeliveryRequest;
}

const DEFAULT_CONTROL_URL = "http://127.0.0.1:8080/control";
/** The sandbox's limit. */
const MAX_COPIES = 100;
const MAX_DELIVERIES = 10_000;

/** @throws UsageError in one line */
export function triggerSettings(
  kind: string | undefined,
  flags: TriggerFlags,
  environment: NodeJS.ProcessEnv,
): TriggerSettings {
  const token = environment.CONTROL_TOKEN || environment.CONFORM_CONTROL_TOKEN;
  if (token === undefined) {
    throw new UsageError(
      `no control token: set CONTROL_TOKEN to the token that ${commandLine("serve")} prints`,
    );
  }
  const request =
    flags.again === undefined
      ? triggerRequestFrom(kind, flags)
      : redeliveryRequestFrom(flags.again, kind, flags);
  const url = flags.controlUrl ?? (environment.CONFORM_CONTROL_URL || DEFAULT_CONTROL_URL);
  return {
    controlUrl: httpUrl(url, "--control-url"),
    token: controlToken(token),
    request: { ...request, ...(flags.clientId === undefined ? {} : { client_id: flags.clientId }) },
  };
}

function triggerRequestFrom(kind: string | undefined, flags: TriggerFlags): TriggerRequest {
  const { order, set, data } = flags;
  const deliveries = wholeNumber(flags.count, 1, "--count", 1, MAX_DELIVERIES);
  if (order !== undefined && deliveries > 1)
    throw new UsageError("--order names a single delivery: omit --count");
  if (flags.outOfOrder && flags.parallel)
    throw new UsageError("--out-of-order and --parallel exclude each other: give one of them");
  if (flags.outOfOrder && flags.single)
    throw new UsageError("--out-of-order needs several events: omit --single");
  return {
    type: kindFrom(kind),
    ...(order === undefined ? {} : { order }),
    ...(data === undefined ? {} : { data: dataFrom(data) }),
    ...(set === undefined ? {} : { set: Object.fromEntries(set.map(assignment)) }),
    deliveries,
    copies: wholeNumber(flags.repeat, 1, "--repeat", 1, MAX_COPIES),
    single: flags.single ?? false,
    reversed: flags.outOfOrder ?? false,
    parallel: flags.parallel ?? false,
  };
}

/** A past event is sent again unchanged, so all other flags are refused. */
function redeliveryRequestFrom(
  event_id: string,
  kind: string | undefined,
  flags: TriggerFlags,
): RedeliveryRequest {
  const { again, clientId, controlUrl, json, ...others } = flags;
  const [other] = Object.keys(others);
  if (kind !== undefined) throw new UsageError(`--again sends a past event unchanged: omit ${kind}`);
  if (other !== undefined) {
    const flag = other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(`--again sends a past event unchanged: omit --${flag}`);
  }
  return { event_id };
}

function assignment(text: string): [string, string] {
  const [, path, value] = /^([\w.]+)=(.*)$/s.exec(text) ?? [];
  if (path !== undefined && value !== undefined) return [path, value];
  throw new UsageError(`--set takes a field and its value, such as customer.note=hello, not ${text}`);
}

function dataFrom(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? textOf(error.code) : "unreadable";
    throw new UsageError(`--data ${file} can't be read (${code}): give an existing file`);
  }
  const data = parseJson(text);
  if (isObject(data)) return data;
  throw new UsageError(`--data ${file} isn't a JSON object: give fields of the body of POST /v1/deliveries`);
}

function kindFrom(kind: string | undefined): EventKind {
  const known = ALL_KINDS.find((one) => one === kind || one === `delivery.${kind}`);
  if (known !== undefined) return known;
  const asked = kind === undefined ? "no event type" : `unknown event type ${kind}`;
  throw new UsageError(`${asked}: name one such as delivery.failed (--list shows them)`);
}
