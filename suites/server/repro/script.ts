import { type Exchange, shellQuote } from "../../core/exchange.ts";
import { pathSegment } from "../../core/http/path-segment.ts";
import { isObject, parseJson } from "../../core/json.ts";
import type { Redactor } from "../../core/text/redact.ts";
import { visible } from "../../core/text/visible-text.ts";
import type { StoreLinked } from "../session/created-resources.ts";
import type { IntegratorClock } from "../session/identities/integrator-clock.ts";
import { ownStoreIdsIn } from "../session/own-stores.ts";
import { valuesOf } from "./answers.ts";
import { areTooManyLeftOut } from "./blind-spots.ts";
import { judgedFinding, type ReproFinding } from "./finding.ts";
import { isServedWithout, storeShown, wasFirstRegistration } from "./linked-stores.ts";
import { type Prelude, preludeOf } from "./prelude.ts";
import { isRace } from "./races.ts";
import { type Counterpart, RunRecord } from "./run-record.ts";
import { controlsOf, endOf, exchangesOf, groupsOf, sentText, withoutPolling, withSetUp } from "./sequence.ts";
import type { ControlStep, TraceStep } from "./trace.ts";
import { type EarlierCall, instantsOf, Variables } from "./variables.ts";

export interface ReproScriptOptions extends Prelude {
  readonly redact: Redactor;
  /** The integrators that took part, the first being the one whose check it is. */
  readonly integrators: readonly {
    readonly credentials: { readonly client_id: string; readonly client_secret: string };
    hasIssued(token: string): boolean;
    readonly clock: Pick<IntegratorClock, "offsetAt">;
    /** Stores that it has linked, by their external ids, with what they were linked with. */
    readonly created: { readonly linked: ReadonlyMap<string, StoreLinked> };
  }[];
  /** Where the suite's own receiver of webhooks was, which isn't there any more; undefined where there was none. */
  readonly receiver: string | undefined;
  /** Where new stores are. */
  readonly point: { readonly lat: number; readonly lng: number };
}

/** What the suite makes anew each time stands in a uuid. */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/**
 * Ids, cursors, keys and times of answers: longer than words that just happen to come twice, and of a length that an address
 * can have, for through any length an expression couldn't go.
 */
const REUSABLE = /^\S{12,4000}$/;
/** A wait that a check made on purpose, or for something to settle, in milliseconds; and the longest that is repeated. */
const PAUSE_MS = 900;
const LONGEST_PAUSE_S = 70;
/** What names a variable as it stands; any other key is the target's to choose. */
const PLAIN_KEY = /^[a-z]\w{0,30}$/;
const MOVES_CLOCK = /\/clock\/advance$/;
const clockPath = (clientId: string) => `/integrators/${pathSegment(clientId)}/clock/advance`;
/** A command can't be longer than this, on any system. */
const LONGEST_BODY = 2_000_000;

const comment = (text: string) =>
  visible(text)
    .split(/[\r\n]+/)
    .map((line) => `# ${line}`);
const allSentBy = (steps: readonly TraceStep[]): string =>
  steps.map((step) => `${"control" in step ? step.control.path : sentText(step.exchange)} `).join("");
const pathOf = (exchange: Exchange, baseUrl: string) => exchange.url.slice(baseUrl.length);

/** Writes a sequence down as lines for a shell, giving a name to whatever can't be the same the next time. */
class ScriptWriter {
  readonly lines: string[] = [];
  readonly #variables = new Variables();
  readonly #integrators = new Set<number>();
  /** What has been sent so far: an answer that repeats it brings nothing new. */
  #sent = "";
  #calls = 0;
  #controls = 0;
  #numbers = new Map<Exchange, number>();
  /** Calls that are over, in their order. */
  readonly #done: EarlierCall[] = [];
  /** What the script makes itself in place of what the suite made. */
  readonly #made: Counterpart[] = [];
  /** How far the script has moved each integrator's clock, by their ids, in milliseconds. */
  readonly #moved = new Map<string, number>();
  readonly record: RunRecord;

  readonly #options: ReproScriptOptions;

  constructor(options: ReproScriptOptions) {
    this.#options = options;
    this.record = new RunRecord(options.redact);
    this.#made.push({ text: options.baseUrl, expansion: "$BASE" });
    if (options.receiver !== undefined) this.#make(options.receiver, "HOOKS");
  }

  #ownerOf(exchange: Exchange): number | undefined {
    const { authorization = "" } = exchange.requestHeaders;
    const at = this.#options.integrators.findIndex(({ hasIssued }) => hasIssued(authorization.slice(7)));
    return authorization.startsWith("Bearer ") && at >= 0 ? at + 1 : undefined;
  }

  /** Who had linked the store before, if anybody: who does so in the sequence itself hadn't. */
  #linkedBy(storeId: string, exchanges: readonly Exchange[]): number | undefined {
    const later = exchanges
      .filter(wasFirstRegistration)
      .filter((exchange) => sentText(exchange).includes(storeId))
      .map((exchange) => this.#ownerOf(exchange));
    const at = this.#options.integrators.findIndex(
      ({ created }, index) => created.linked.has(storeId) && !later.includes(index + 1),
    );
    return at >= 0 ? at + 1 : undefined;
  }

  #linkedWith(number: number, storeId: string): StoreLinked | undefined {
    return this.#options.integrators[number - 1]?.created.linked.get(storeId);
  }

  #link(number: number, id: string, exchanges: readonly Exchange[]): void {
    if (this.#variables.has(id)) return;
    this.#needIntegrator(number);
    const name = this.#variables.newName("STORE");
    this.#make(id, name);
    const linked = this.#linkedWith(number, id);
    const store = JSON.stringify(storeShown(exchanges, id, this.#options.point, linked));
    this.lines.push(`store ${number} ${name.slice("STORE_".length)} ${this.#variables.word(store)}`);
  }

  /** Whether it was served though it names none of the integrator's stores: with one that it names nowhere. */
  #isServedWithAnyStore(exchange: Exchange, owner: number): boolean {
    const linked = this.#options.integrators[owner - 1]?.created.linked;
    return linked !== undefined && isServedWithout(exchange, linked);
  }

  #linkFirst(number: number, exchanges: readonly Exchange[]): void {
    const [first] = this.#options.integrators[number - 1]?.created.linked.keys() ?? [];
    if (first !== undefined && this.#linkedBy(first, exchanges) === number)
      this.#link(number, first, exchanges);
  }

  /** Integrators and stores that the steps need and don't make themselves. */
  setUp(exchanges: readonly Exchange[], controls: readonly ControlStep[]): void {
    for (const exchange of exchanges) {
      const owner = this.#ownerOf(exchange);
      if (owner !== undefined) this.#needIntegrator(owner);
      if (owner !== undefined && this.#isServedWithAnyStore(exchange, owner))
        this.#linkFirst(owner, exchanges);
      for (const id of ownStoreIdsIn(sentText(exchange))) {
        const linkedBy = this.#linkedBy(id, exchanges);
        // What nobody has linked, such as a store whose registration is refused, isn't linked here either.
        if (linkedBy !== undefined) this.#link(linkedBy, id, exchanges);
      }
    }
    const texts = [...exchanges.map(sentText), ...controls.map(({ path }) => path)].join(" ");
    for (const [at, { credentials }] of this.#options.integrators.entries()) {
      if (texts.includes(credentials.client_id)) this.#needCredentials(at + 1);
    }
  }

  #needIntegrator(number: number): void {
    if (this.#integrators.has(number)) return;
    this.#integrators.add(number);
    this.lines.push(`integrator ${number}`);
    this.#nameCredentials(number);
  }

  /** Whose token is never used, such as one who is asked for and gets none. */
  #needCredentials(number: number): void {
    if (this.#integrators.has(number)) return;
    this.lines.push(`credentials ${number}`);
    this.#nameCredentials(number);
  }

  #nameCredentials(number: number): void {
    const credentials = this.#options.integrators[number - 1]?.credentials;
    if (!credentials) return;
    this.#make(credentials.client_id, `CLIENT_ID_${number}`);
    this.#variables.set(credentials.client_secret, `CLIENT_SECRET_${number}`);
  }

  numberOf(exchange: Exchange): number {
    return this.#numbers.get(exchange) ?? 0;
  }

  /** The end, which judges. */
  judged(
    finding: ReproFinding,
    {
      blamed,
      atOnce,
      isRace,
    }: { readonly blamed: Exchange; readonly atOnce: readonly Exchange[]; readonly isRace: boolean },
  ): readonly string[] {
    const number = this.numberOf(blamed);
    return this.record.judged(judgedFinding(finding, { blamed, number, atOnce }), isRace, this.#made);
  }

  /** Requests that were under way at the same time, sent side by side. */
  together(exchanges: readonly Exchange[], later: string): void {
    this.record.group();
    const calls = exchanges.map((exchange) => this.#call(exchange, exchanges.length > 1 ? "beside" : "call"));
    this.lines.push(
      ...calls.flatMap(({ purpose, line }) => [...purpose, line]),
      ...(calls.length > 1 ? ["together"] : []),
    );
    this.lines.push(...exchanges.map((exchange) => `# ${this.#answered(exchange)}`));
    for (const exchange of exchanges) {
      this.#keep(exchange, later);
      this.#done.push({ number: this.numberOf(exchange), at: this.#beganAt(exchange) });
    }
  }

  pause(milliseconds: number): void {
    const seconds = Math.min(LONGEST_PAUSE_S, Math.round(milliseconds / 1000));
    this.lines.push(`sleep ${seconds}`);
  }

  control(step: ControlStep, isRefused: boolean): void {
    const { method, path, body = {}, upload } = step;
    this.#controls += 1;
    const n = `c${this.#controls}`;
    this.record.group();
    this.record.control(n, step, isRefused);
    const json = JSON.stringify(body);
    this.#freshIds(path + json);
    const to = this.#variables.word(path);
    this.lines.push(
      upload
        ? `move ${n} ${method} ${to} ${upload.mime} < <(printf %s ${Buffer.from(upload.bytes).toString("base64")} | base64 -d)`
        : `move ${n} ${method} ${to} < <(printf %s ${this.#variables.word(json)})`,
    );
    if (!MOVES_CLOCK.test(path)) return;
    const seconds = "seconds" in body && typeof body.seconds === "number" && !isRefused ? body.seconds : 0;
    this.#moved.set(path, (this.#moved.get(path) ?? 0) + seconds * 1000);
    this.#signInAgain();
  }

  /**
   * When a request was sent, on the clock that its integrator would have had in the script: in the run it may have been moved
   * before, by other checks, and the script's is a new one.
   */
  #beganAt(exchange: Exchange): number {
    const { startedAt } = exchange;
    const integrator = this.#options.integrators[(this.#ownerOf(exchange) ?? 1) - 1];
    if (!integrator) return startedAt;
    const moved = this.#moved.get(clockPath(integrator.credentials.client_id)) ?? 0;
    return startedAt + integrator.clock.offsetAt(startedAt) - moved;
  }

  /** A token may be over, now that time has passed. */
  #signInAgain(): void {
    for (const number of this.#integrators) this.lines.push(`integrator ${number}`);
  }

  #freshIds(text: string): void {
    for (const [id] of text.matchAll(UUID)) {
      if (this.#variables.has(id)) continue;
      const name = this.#variables.newName("NEW");
      this.#make(id, name);
      this.lines.push(`${name}="$(new_id)"`);
    }
  }

  #make(text: string, name: string): void {
    this.#variables.set(text, name);
    if (this.#options.redact.text(text) === text) this.#made.push({ text, expansion: `$${name}` });
  }

  #pairingCodes(exchange: Exchange): void {
    const body = parseJson(exchange.requestBody ?? "");
    const code = isObject(body) ? body.pairing_code : undefined;
    if (typeof code !== "string" || this.#variables.has(code) || !this.#options.redact.knows(code)) return;
    const name = this.#variables.newName("CODE");
    this.#variables.set(code, name);
    this.lines.push(`pairing_code; ${name}="$CODE"`);
  }

  #call(
    exchange: Exchange,
    command: "beside" | "call",
  ): { readonly purpose: readonly string[]; readonly line: string } {
    const { redact, baseUrl } = this.#options;
    const { requestHeaders, requestBody, violates } = exchange;
    const began = this.#beganAt(exchange);
    const owner = this.#ownerOf(exchange);
    this.#pairingCodes(exchange);
    this.#freshIds(sentText(exchange));
    this.#sent += sentText(exchange);
    this.#calls += 1;
    this.#numbers.set(exchange, this.#calls);
    this.record.call(String(this.#calls), pathOf(exchange, baseUrl), exchange, began);
    const word = (text: string) =>
      this.#variables.word(text, instantsOf(text, began, this.#done), (plain) => redact.text(plain));
    const words = [command, String(this.#calls), exchange.method, word(pathOf(exchange, baseUrl))];
    for (const [name, value] of Object.entries(requestHeaders)) {
      // A token that the sequence asked for itself is that one, and not whichever is in use.
      const isOwn =
        name === "authorization" &&
        owner !== undefined &&
        !this.#variables.has(value.slice("Bearer ".length));
      const header = word(`${name}: ${value}`);
      if (isOwn) words.push("-H", `"@$DIR/bearer_${owner}"`);
      // No other list of processes shows a secret either.
      else words.push("-H", name === "authorization" ? `@<(printf %s ${header})` : header);
    }
    const body = requestBody === undefined ? "" : `printf %s ${word(requestBody)} | `;
    if (requestBody !== undefined) words.push("--data-binary", "@-");
    return {
      purpose: violates === undefined ? [] : comment(`on purpose: ${violates}`),
      line: `${body}${words.join(" ")}`,
    };
  }

  #answered({ response, failure }: Exchange): string {
    return response
      ? `answered ${response.status}`
      : `no answer: ${visible(this.#options.redact.text(failure ?? "")).replaceAll(/\s+/g, " ")}`;
  }

  /** Names what of the answer is sent again later. */
  #keep(exchange: Exchange, later: string): void {
    for (const { path, key, text } of valuesOf(exchange.response?.json)) {
      if (!REUSABLE.test(text) || this.#variables.has(text) || this.#sent.includes(text)) continue;
      if (!later.includes(text) && !later.includes(pathSegment(text))) continue;
      const name = this.#variables.newName(PLAIN_KEY.test(key) ? key.toUpperCase() : "VALUE");
      this.#variables.set(text, name);
      this.lines.push(`${name}="$(field ${this.#numbers.get(exchange)} ${shellQuote(visible(path))})"`);
    }
  }
}

/**
 * A bash script that repeats what a check did up to its failure, on any target, and says in the end what was expected
 * and what came. Undefined where there is nothing to repeat, or too much.
 */
export function reproScript(
  finding: ReproFinding,
  done: readonly TraceStep[],
  options: ReproScriptOptions,
): string | undefined {
  const trace = withSetUp(done, finding.blamed);
  const isBlamed = (step: TraceStep) => "exchange" in step && step.exchange === finding.blamed;
  // What was sent at once with the one to blame belongs to it, whichever was first.
  const last = groupsOf(trace).findLastIndex((group) => group.some(isBlamed));
  const all =
    last < 0
      ? trace
      : groupsOf(trace)
          .slice(0, last + 1)
          .flat();
  const steps = withoutPolling(all);
  const exchanges = exchangesOf(steps);
  const blamed = finding.blamed ?? exchanges.at(-1);
  // What isn't sent again can't be judged.
  if (!blamed || !exchanges.includes(blamed) || areTooManyLeftOut(exchangesOf(all), exchanges))
    return undefined;
  if (exchanges.some(({ requestBody = "" }) => requestBody.length > LONGEST_BODY)) return undefined;
  const groups = groupsOf(steps).map(exchangesOf);
  const race = isRace(finding, groups);
  const atOnce = groups.find((group) => group.includes(blamed)) ?? [];
  const writer = new ScriptWriter(options);
  writer.setUp(
    exchanges,
    controlsOf(steps).map(({ control }) => control),
  );
  const needed = writer.lines.splice(0);
  let end: number | undefined;
  let later = allSentBy(steps);
  for (const group of groupsOf(steps)) {
    const [first] = group;
    if (!first) continue;
    if (end !== undefined && first.at - end > PAUSE_MS) writer.pause(first.at - end);
    later = later.slice(allSentBy(group).length);
    for (const { control, isRefused = false } of controlsOf(group)) writer.control(control, isRefused);
    if (exchangesOf(group).length > 0) writer.together(exchangesOf(group), later);
    end = Math.max(first.at, ...exchangesOf(group).map(endOf));
  }
  const text = (words: string) => shellQuote(visible(words).replaceAll(/\s*\n\s*/g, " "));
  return [
    "#!/usr/bin/env bash",
    ...comment(`${finding.id}: ${finding.title}`),
    ...comment(finding.message),
    ...comment(
      "Needs curl and jq. What is new in each run (ids, keys, numbers of orders, times) is made anew here.",
    ),
    preludeOf(options),
    "",
    ...needed,
    ...(race ? ["", "once() {", ...writer.lines, "}"] : writer.lines),
    "",
    ...writer.judged(finding, { blamed, atOnce, isRace: race }),
    `printf '\\nExpected    %s\\n' ${text(finding.expected ?? finding.title)}`,
    `printf 'In the run  %s\\n' ${text(finding.actual ?? finding.message)}`,
    `printf '            %s\\n' ${text(`${blamed.response?.status ?? "no answer"} ${blamed.method} ${options.redact.text(pathOf(blamed, options.baseUrl))}`)}`,
    `judge ${writer.numberOf(blamed)}`,
    "",
  ].join("\n");
}
