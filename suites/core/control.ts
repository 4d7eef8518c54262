import type { components, operations } from "../../openapi/generated/control.ts";
import { monotonicNow, timerMs } from "./clock.ts";
import { type ControlOperation, controlApi } from "./contract/control-document.ts";
import { CheckSkipped } from "./grading/failures/failure.ts";
import { isConnectionLoss, isRefusedConnection, isSilence, silenceText } from "./http/connection-loss.ts";
import { openConnections, sendRequest } from "./http/connections.ts";
import { pathSegment } from "./http/path-segment.ts";
import { isUnavailable, NOT_SERVED } from "./http/unavailable.ts";
import { isObject, jsonExcess, member, parseJson, textOf } from "./json.ts";
import { MachineError } from "./machine-error.ts";
import type { Redactor } from "./text/redact.ts";

/** The courier actions until delivery. A target may require each of them (control interface). */
export const COURIER_ACTIONS = [
  "offered",
  "assigned",
  "at_pickup",
  "picked_up",
  "en_route",
  "arrived",
  "delivered",
] as const;

export type CourierActionBody = components["schemas"]["CourierMove"];
type ClockAdvance = components["schemas"]["ClockAdvance"];

type Json<R> = R extends { content: { "application/json": infer B } } ? B : undefined;
type Responses<Op extends ControlOperation> = operations[Op]["responses"];
type Success<Op extends ControlOperation> = Json<Responses<Op>[keyof Responses<Op> & (200 | 201)]>;

interface Photo {
  readonly bytes: Uint8Array;
  readonly mime: string;
}

interface PhotoToAdd extends Photo {
  readonly lat?: number;
  readonly lng?: number;
}

/** The path for uploading a delivery's photo. */
export function proofPath(deliveryId: string, { lat, lng }: PhotoToAdd): string {
  const query = new URLSearchParams();
  if (lat !== undefined) query.set("lat", String(lat));
  if (lng !== undefined) query.set("lng", String(lng));
  return `/deliveries/${pathSegment(deliveryId)}/proofs?${query}`;
}

const isPhoto = (body: object): body is Photo => "bytes" in body && body.bytes instanceof Uint8Array;

interface ControlResponse {
  readonly status: number;
  readonly json: unknown;
}

/** Limit for the shown part of an unexpected answer, in characters. */
const SHOWN_CHARS = 10_000;
/**
 * An advance is only answered after all due work. A day of retries to several endpoints that don't respond
 * takes time.
 */
const ADVANCE_TIMEOUT_MS = 60_000;
/** The time that a busy machine may need for a webhook response. The clock is frozen meanwhile. */
const ANSWERED_WAIT_MS = 30_000;
/** The minimum wait for a delivery attempt that gets no response. */
const SILENT_WAIT_MS = 1000;
/** The minimum wait, as a multiple of the duration of a request on a new connection. */
const SILENT_WAIT_ROUND_TRIPS = 4;
/** The maximum wait: a target's default (control interface, "The clock"). */
const DEFAULT_WAIT_MS = 3000;
/** The tolerated difference between the target's clock and ours: webhook receivers allow the same. */
const SKEW_MS = 5 * 60_000;

/** The control interface responded with an unexpected status. */
export class ControlRefusal extends CheckSkipped {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A call or its response was lost, so the call's effect is unknown. */
export class LostControlAnswer extends CheckSkipped {}

/** Operations that must not be sent twice. Repeating any other operation is harmless. */
const ONCE_ONLY: readonly ControlOperation[] = [
  "actAsCourier",
  "addProof",
  "advanceClock",
  "closeIntegrator",
];

/**
 * The control interface of a target (openapi/control.yaml). Its errors say nothing about the service, so the
 * affected checks are skipped.
 */
export class ControlClient {
  #operations: readonly string[] = [];
  #features: readonly string[] = [];
  #silentWaitMs = SILENT_WAIT_MS;
  readonly #connections = openConnections({});
  /** Pending requests whose responses contain secrets. */
  readonly #secrets = new Set<Promise<unknown>>();
  /** The client ids of created integrators that aren't closed. */
  readonly integrators = new Set<string>();
  /** `virtual` if the clock can be advanced. */
  clock: "virtual" | "real" = "real";
  service = "";
  version = "";

  /**
   * Resolves to true once an unavailable target is back, or to false if the wait is cancelled. A request with
   * a refused connection had no effect, and is sent again.
   */
  isBack: (() => Promise<boolean>) | undefined;

  private readonly settings: { readonly url: string; readonly token: string };
  private readonly redact: Redactor;
  private readonly answerMs: number;

  /** @param answerMs the time limit of one response */
  constructor(
    settings: { readonly url: string; readonly token: string },
    redact: Redactor,
    answerMs = 10_000,
  ) {
    this.settings = settings;
    this.redact = redact;
    this.answerMs = answerMs;
    redact.add(settings.token);
  }

  /**
   * Reads the control interface's description.
   * @param signal cancels the request
   * @throws CheckSkipped without a usable response
   */
  async describe(signal?: AbortSignal): Promise<void> {
    const before = monotonicNow();
    const { json } = await this.#send("describeControl", "GET", "/", undefined, [200], this.answerMs, signal);
    const roundTripMs = monotonicNow() - before;
    this.#silentWaitMs = Math.min(
      Math.max(SILENT_WAIT_MS, Math.ceil(SILENT_WAIT_ROUND_TRIPS * roundTripMs)),
      DEFAULT_WAIT_MS,
    );
    // The other members are optional.
    if (!isObject(json) || !Array.isArray(json.operations)) {
      throw new CheckSkipped(`the control interface at ${this.settings.url} describes no operations`);
    }
    this.#operations = json.operations.filter((name) => typeof name === "string");
    this.#features = Array.isArray(json.features)
      ? json.features.filter((name) => typeof name === "string")
      : [];
    this.clock = json.clock === "virtual" ? "virtual" : "real";
    this.service = typeof json.service === "string" ? json.service : "";
    this.version = typeof json.version === "string" ? json.version : "";
  }

  offers(operation: ControlOperation): boolean {
    return this.#operations.includes(operation);
  }

  async createIntegrator(kind: "integrator" | "other"): Promise<Success<"createIntegrator">> {
    const created = await this.#object("createIntegrator", "/integrators", { kind });
    this.redact.learn(created.client_secret);
    this.integrators.add(created.client_id);
    return created;
  }

  async issueToken(clientId: string): Promise<Success<"issueToken">> {
    const path = `/integrators/${pathSegment(clientId)}/token`;
    const issued = await this.#object("issueToken", path, undefined);
    this.redact.learn(issued.access_token);
    return issued;
  }

  async closeIntegrator(clientId: string): Promise<void> {
    await this.#send("closeIntegrator", "POST", `/integrators/${pathSegment(clientId)}/close`, {}, [204]);
    this.integrators.delete(clientId);
  }

  async readCredit(clientId: string): Promise<number> {
    const path = `/integrators/${pathSegment(clientId)}/credit`;
    const answer = await this.#send("readCredit", "GET", path, undefined, [200]);
    return this.#read("readCredit", answer).consumed;
  }

  /**
   * The body of a clock advance.
   * @param how `attemptsTimeOut`: no pending attempt will get a response. `isPatient`: the target waits as long as
   * without `attempt_wait_ms`.
   */
  clockAdvanceBody(
    seconds: number,
    { attemptsTimeOut, isPatient }: { readonly attemptsTimeOut: boolean; readonly isPatient: boolean },
  ): ClockAdvance {
    if (!this.#features.includes("attempt_wait_ms")) return { seconds };
    if (!attemptsTimeOut) return { seconds, attempt_wait_ms: ANSWERED_WAIT_MS };
    return { seconds, attempt_wait_ms: isPatient ? DEFAULT_WAIT_MS : this.#silentWaitMs };
  }

  /**
   * @param now the integrator's time before, as Unix time in milliseconds
   * @returns the target's time afterwards
   */
  async advanceClock(clientId: string, advance: ClockAdvance, now: number): Promise<number> {
    const { seconds, attempt_wait_ms = 0 } = advance;
    const path = `/integrators/${pathSegment(clientId)}/clock/advance`;
    const longest = Math.max(this.answerMs, ADVANCE_TIMEOUT_MS) + attempt_wait_ms;
    const answer = await this.#send("advanceClock", "POST", path, advance, [200], longest);
    const json = this.#read("advanceClock", answer);
    const after = Date.parse(json.now);
    if (!(after >= now + seconds * 1000 - SKEW_MS)) {
      throw new CheckSkipped(
        `the control interface responded to advanceClock by ${seconds} s with ${this.redact.text(JSON.stringify(json) ?? "").slice(0, 200)}, which isn't ${seconds} s later`,
      );
    }
    return after;
  }

  async issuePairingCode(wanted: {
    courier_company?: string;
    restaurant?: string;
    expires_in?: number;
  }): Promise<Success<"issuePairingCode">> {
    const issued = await this.#object("issuePairingCode", "/pairing-codes", wanted);
    this.redact.learn(issued.pairing_code);
    return issued;
  }

  async configureStore(storeId: string, settings: object): Promise<void> {
    await this.#send("configureStore", "PATCH", `/stores/${pathSegment(storeId)}`, settings, [204]);
  }

  /**
   * Performs a courier action.
   * @returns false if the delivery's state doesn't allow it (409), or if the target has no such action (400)
   */
  async actAsCourier(deliveryId: string, action: CourierActionBody): Promise<boolean> {
    const path = `/deliveries/${pathSegment(deliveryId)}/courier`;
    const { status } = await this.#send("actAsCourier", "POST", path, action, [204, 400, 409]);
    return status === 204;
  }

  /** Uploads a photo. Returns any response, because the check judges it. */
  addProof(deliveryId: string, photo: PhotoToAdd): Promise<ControlResponse> {
    return this.#send("addProof", "POST", proofPath(deliveryId, photo), photo, [201, 400, 409, 413, 415]);
  }

  async trustReceiver(origin: string, caPem: string | undefined): Promise<void> {
    const body = { origin, ...(caPem === undefined ? {} : { ca_pem: caPem }) };
    await this.#send("trustReceiver", "POST", "/trusted-receivers", body, [204]);
  }

  /** Resolves when all pending responses that contain secrets have arrived. */
  async secretsArrived(): Promise<void> {
    await Promise.allSettled(this.#secrets);
  }

  /** Creates an object that contains a secret. */
  async #object<Op extends ControlOperation>(
    name: Op,
    path: string,
    body: object | undefined,
  ): Promise<Success<Op>> {
    const sent = this.#send(name, "POST", path, body, [201]);
    this.#secrets.add(sent);
    return this.#read(name, await sent.finally(() => this.#secrets.delete(sent)));
  }

  /**
   * A response body, validated by the document.
   * @throws CheckSkipped if it is invalid
   */
  #read<Op extends ControlOperation>(name: Op, { status, json }: ControlResponse): Success<Op> {
    const error = controlApi.responseError(name, status, json);
    const isValid = (_body: unknown): _body is Success<Op> => error === undefined;
    if (isValid(json)) return json;
    throw new CheckSkipped(
      `the control interface's response to ${name} doesn't match openapi/control.yaml: ${this.redact.text(error ?? "")}`,
    );
  }

  async #send(
    name: ControlOperation,
    method: "GET" | "POST" | "PATCH",
    path: string,
    body: object | Photo | undefined,
    expected: readonly number[],
    answerMs = this.answerMs,
    signal?: AbortSignal,
  ): Promise<ControlResponse> {
    let status: number;
    let text: string;
    try {
      const options = {
        method,
        headers: {
          authorization: `Bearer ${this.settings.token}`,
          ...(body && { "content-type": isPhoto(body) ? body.mime : "application/json" }),
        },
        body: body === undefined ? null : isPhoto(body) ? body.bytes : JSON.stringify(body),
      };
      const url = `${this.settings.url}${path}`;
      let mayBeDone = false;
      const isOnceOnly = ONCE_ONLY.includes(name);
      const onRetry = () => {
        mayBeDone = method !== "GET";
      };
      const limits = {
        timeoutMs: timerMs(2 * answerMs),
        answerMs,
        signal,
        onRetry,
        onBody: (bytes: Uint8Array) => this.redact.learnFrom(new TextDecoder().decode(bytes)),
        isRetryable: !isOnceOnly,
      };
      const send = () => sendRequest(this.#connections, url, options, limits);
      const isBack = async () => (await this.isBack?.()) ?? false;
      const first = await send().catch(async (error: unknown) => {
        if (!isRefusedConnection(error) || !(await isBack()) || mayBeDone) throw error;
        return send();
      });
      if (isOnceOnly && mayBeDone) throw new LostControlAnswer(`the connection was lost at ${name}`);
      // Waits for the target first, because a response of an unavailable target isn't an error of the control
      // interface.
      const isRepeatable = isUnavailable(first.status) && (await isBack());
      const hadNoEffect = method === "GET" || (first.status === NOT_SERVED && !mayBeDone);
      const answer = isRepeatable && hadNoEffect ? await send() : first;
      status = answer.status;
      text = new TextDecoder().decode(answer.bytes);
    } catch (error) {
      if (error instanceof LostControlAnswer || error instanceof MachineError) throw error;
      const reason = error instanceof Error ? error.message : textOf(error);
      const why = isSilence(error) ? silenceText(answerMs) : reason;
      const line = `the control interface didn't respond to ${name}: ${why}`;
      throw isConnectionLoss(error) ? new LostControlAnswer(line) : new CheckSkipped(line);
    }
    if (!expected.includes(status)) {
      throw new ControlRefusal(
        status,
        `the control interface responded to ${name} with ${status}: ${this.#errorIn(text)}`,
      );
    }
    const excess = jsonExcess(text);
    if (excess !== undefined)
      throw new CheckSkipped(`the control interface's response to ${name} is invalid: ${excess}`);
    try {
      return { status, json: text ? JSON.parse(text) : undefined };
    } catch {
      throw new CheckSkipped(`the control interface responded to ${name} with a body that isn't JSON`);
    }
  }

  /** The message and code of an error in the service's format; the start of the body for other errors. */
  #errorIn(body: string): string {
    const text = body.slice(0, SHOWN_CHARS);
    const error = member(parseJson(text), "error");
    const [code, message] = [member(error, "code"), member(error, "message")];
    const words = typeof code === "string" && typeof message === "string" ? `${message} (${code})` : text;
    // Redacts before the text is cut, because a part of a secret isn't recognised.
    return this.redact.text(words).replaceAll(/\s+/g, " ").slice(0, 200) || "(no body)";
  }
}
