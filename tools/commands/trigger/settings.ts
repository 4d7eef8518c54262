import { ALL_KINDS, type EventKind } from "../../../suites/core/contract/event-kinds.ts";
import { address, whole } from "../../settings/values.ts";
import { UsageError } from "../../usage-error.ts";

/** The flags of `trigger`, as the command line gives them. */
export interface TriggerFlags {
  list?: boolean;
  controlUrl?: string;
  clientId?: string;
  count?: string;
  repeat?: string;
  alone?: boolean;
  outOfOrder?: boolean;
  atOnce?: boolean;
  json?: boolean;
}

/** Which events are asked of which sandbox. */
export interface TriggerSettings {
  readonly controlUrl: string;
  readonly token: string;
  readonly wish: {
    readonly type: EventKind;
    readonly client_id?: string;
    readonly deliveries: number;
    readonly copies: number;
    readonly alone: boolean;
    readonly reversed: boolean;
    readonly at_once: boolean;
  };
}

const DEFAULT_CONTROL_URL = "http://127.0.0.1:8080/control";
/** As many as a sandbox takes. */
const MOST = 100;

/** @throws UsageError in one line for whatever is wrong */
export function triggerSettings(
  kind: string | undefined,
  flags: TriggerFlags,
  environment: NodeJS.ProcessEnv,
): TriggerSettings {
  const token = environment.CONTROL_TOKEN || environment.CONFORM_CONTROL_TOKEN;
  const wish = {
    type: kindFrom(kind),
    deliveries: whole(flags.count, 1, "--count", 1, MOST),
    copies: whole(flags.repeat, 1, "--repeat", 1, MOST),
    alone: flags.alone ?? false,
    reversed: flags.outOfOrder ?? false,
    at_once: flags.atOnce ?? false,
  };
  if (token === undefined) {
    throw new UsageError("no control token: set CONTROL_TOKEN to the one that npm run serve prints");
  }
  const url = flags.controlUrl ?? (environment.CONFORM_CONTROL_URL || DEFAULT_CONTROL_URL);
  return {
    controlUrl: address(url, "--control-url"),
    token,
    wish: { ...wish, ...(flags.clientId === undefined ? {} : { client_id: flags.clientId }) },
  };
}

function kindFrom(kind: string | undefined): EventKind {
  const known = ALL_KINDS.find((one) => one === kind || one === `delivery.${kind}`);
  if (known !== undefined) return known;
  const asked = kind === undefined ? "no kind of event" : `no kind of event is called ${kind}`;
  throw new UsageError(`${asked}: name one such as delivery.failed (--list shows them)`);
}
