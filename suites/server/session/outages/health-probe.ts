import { monotonicNow, pause } from "../../../core/clock.ts";
import type { Exchange, ExchangeResponse } from "../../../core/exchange.ts";
import { sendRequest } from "../../../core/http/connections.ts";
import { isUnavailable, NOT_SERVED } from "../../../core/http/unavailable.ts";
import { isObject, parseJson } from "../../../core/json.ts";
import { MachineError } from "../../../core/machine-error.ts";
import { codeOf, isSuccess } from "../../../core/responses.ts";
import type { SourceAddress } from "../limits/source-addresses.ts";
import type { Silence } from "./silence.ts";

/**
 * Milliseconds after which the probe is repeated, because a balancer may respond by chance between the target's
 * own responses.
 */
const PROBE_AGAIN_MS = 200;
/** The milliseconds for which concurrent callers share one result. */
const REUSE_MS = 250;

type ProbeResponse = Pick<ExchangeResponse, "status" | "text" | "json">;

/**
 * True if a response may come from a balancer, a sign-in page or a placeholder, or from a service that is starting or
 * stopping (OPEN-215). The target's health then decides.
 */
export function mayBeUnavailable({ status, text, json }: ProbeResponse): boolean {
  if (isUnavailable(status)) return true;
  if (isObject(json)) return Object.keys(json).length === 0;
  return status < 500 && /^\s*</.test(text);
}

/** True if a 502, 503 or 504 may come from a proxy. A response of the service itself has an error code. */
export const isProxyAnswer = ({ status, json }: ProbeResponse): boolean =>
  isUnavailable(status) && !isOwnError(json);

/** True if the response means that the request had no effect. */
export const isNotServed = ({ status }: ProbeResponse): boolean => status === NOT_SERVED;

/** The exchange with the response of an unavailable target replaced by no response. */
export const unanswered = (exchange: Exchange): Exchange =>
  exchange.response
    ? {
        ...exchange,
        response: undefined,
        failure: `${exchange.response.status} was the response while the target was unavailable`,
      }
    : exchange;

const isOwnError = (json: unknown): boolean => codeOf({ json }) !== undefined;

interface HealthProbeDependencies {
  readonly url: string;
  readonly address: SourceAddress;
  readonly messageOf: (error: unknown) => string;
  /** Called if this machine, instead of the target, is the cause of a missing response. */
  readonly noteMachineError: (error: MachineError) => void;
}

/** Tests at the health endpoint whether the target responds, and whether the response comes from the target. */
export class HealthProbe {
  /** The members of the target's health response. A response without them comes from a proxy. */
  #members: readonly string[] | undefined;
  #glance: { readonly at: number; readonly silence: Promise<Silence | undefined> } | undefined;
  private readonly deps: HealthProbeDependencies;

  constructor(deps: HealthProbeDependencies) {
    this.deps = deps;
  }

  /**
   * Why the target doesn't respond at the health endpoint. Undefined if it does, or if its response has always
   * been the same.
   */
  async silence(): Promise<Silence | undefined> {
    const first = await this.#probe();
    if (first?.proxyPage === undefined) return first;
    await pause(PROBE_AGAIN_MS);
    return this.#probe();
  }

  /** Like `silence`, but reuses a result that is at most {@link REUSE_MS} old. */
  reusedSilence(): Promise<Silence | undefined> {
    if (this.#glance === undefined || this.#glance.at < monotonicNow() - REUSE_MS) {
      this.#glance = { at: monotonicNow(), silence: this.silence() };
    }
    return this.#glance.silence;
  }

  async #probe(): Promise<Silence | undefined> {
    const { url, address, messageOf, noteMachineError } = this.deps;
    const { connections, totalTimeoutMs, anonymous } = address;
    // The health request counts towards the address's limit.
    const lease = anonymous.spend();
    try {
      const headers = { accept: "application/json" };
      const options = { timeoutMs: totalTimeoutMs, fresh: true };
      const { status, bytes } = await sendRequest(connections, url, { headers }, options);
      const text = new TextDecoder().decode(bytes);
      return this.#judge({ status, text, json: parseJson(text) });
    } catch (error) {
      if (error instanceof MachineError) noteMachineError(error);
      return { why: messageOf(error) };
    } finally {
      lease.settle();
    }
  }

  #judge(seen: ProbeResponse): Silence | undefined {
    const { status, json } = seen;
    const names = isObject(json) ? Object.keys(json) : [];
    if (isSuccess(seen) && names.length > 0) this.#members ??= names;
    const isUp = this.#members?.some((name) => names.includes(name) && !isUnavailable(status)) ?? true;
    if (isUp || !mayBeUnavailable(seen)) return undefined;
    return { why: `the health endpoint responded with ${status}`, proxyPage: proxyPageOf(seen) };
  }
}

const TITLE = /<title[^<>]*>\s*([^<]{1,80})/i;

/** Describes the response of an unavailable target or its proxy. */
function proxyPageOf(seen: ProbeResponse): string {
  const { status, text } = seen;
  if (isProxyAnswer(seen)) return `the target's load balancer responded with ${status}`;
  if (isUnavailable(status)) return `the target responded with ${status}`;
  if (!/^\s*</.test(text)) return `every response was ${text.trim()}`;
  const title = TITLE.exec(text)?.[1]?.trim();
  return `every response was a web page${title ? ` with the title "${title}"` : ""}`;
}
