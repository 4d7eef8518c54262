import type { Exchange } from "../core/exchange.ts";
import { parseJson } from "../core/json.ts";
import type { Redactor } from "../core/redact.ts";

/** A step that was made through the control interface between two requests, such as a courier's move. */
export interface ControlStep {
  /** Under the control interface's address, beginning with a slash. */
  readonly path: string;
  readonly body: object;
}

/** What was done in one try of a property, in order. */
export type TraceStep = { readonly exchange: Exchange } | { readonly control: ControlStep };

interface ScriptOptions {
  readonly baseUrl: string;
  readonly redact: Redactor;
}

const HEADER = `#!/usr/bin/env bash
# Repeats the simplest sequence that was found. First put an integrator's token into TOKEN, and into STORE the
# external_store_id of a store of that integrator's:
#   export TOKEN=…  STORE=…
# Numbers of orders and idempotency keys are new each time. After each call the answer's body stands in $BODY;
# \`field NAME N\` takes the text of the N-th field of that name out of it, as the next calls need it.
set -u
: "\${TOKEN:?no token of an integrator is in TOKEN}"
RUN="$(date +%s)-$$"
field() { printf '%s' "$BODY" | grep -oE "\\"$1\\" *: *\\"[^\\"]*\\"" | sed -n "\${2}p" | sed -E 's/^"[^"]*" *: *"(.*)"$/\\1/'; }
call() {
  local method="$1" path="$2"; shift 2
  printf '\\n%s %s\\n' "$method" "$path"
  BODY="$(curl -sS -X "$method" "$BASE$path" -w '\\n%{http_code}' "$@")"
  printf '%s\\n' "\${BODY##*$'\\n'} \${BODY%$'\\n'*}"
  BODY="\${BODY%$'\\n'*}"
}`;

const CONTROL_HEADER = `: "\${CONTROL_TOKEN:?no token of the control interface is in CONTROL_TOKEN}"
control() {
  printf '\\ncontrol %s %s\\n' "$1" "$2"
  curl -sS -X POST "$CONTROL$1" -w '%{http_code}\\n' -H "authorization: Bearer $CONTROL_TOKEN" -H 'content-type: application/json' --data-raw "$2"
}`;

/** What the suite makes anew for each request, and the reader's repetition has to as well. */
const OWN_KEY = /^key-[0-9a-f-]{36}$/;
const OWN_REFERENCE = /^c-[0-9a-f-]{36}$/;
/** A field with a text, as the script's `field` counts them. */
const TEXT_FIELD = /"([A-Za-z_]+)" *: *"([^"]*)"/g;
/** Ids, cursors and keys: longer than words that just happen to come twice, and without a space. */
const REUSABLE = /^[\w.=+~-]{16,}$/;

/** A shell word: what is quoted stays as it is, the variables among it aside. */
function shellWord(text: string, variables: ReadonlyMap<string, string>): string {
  const names = [...variables.keys()].sort((a, b) => b.length - a.length);
  let word = "";
  for (let rest = text; rest !== ""; ) {
    const found = names
      .map((value) => ({ value, at: rest.indexOf(value) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)[0];
    const plain = found ? rest.slice(0, found.at) : rest;
    if (plain !== "") word += `'${plain.replaceAll("'", `'\\''`)}'`;
    if (!found) break;
    word += `"$${variables.get(found.value)}"`;
    rest = rest.slice(found.at + found.value.length);
  }
  return word === "" ? "''" : word;
}

/** Every text under a key, at any depth. */
function textsUnder(value: unknown, key: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => textsUnder(one, key));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    name === key && typeof one === "string" ? [one] : textsUnder(one, key),
  );
}

/** Writes a sequence down as lines for a shell, giving a name to whatever can't be the same the next time. */
class ScriptWriter {
  readonly lines: string[] = [];
  readonly #variables = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #ground: ScriptOptions;

  constructor(options: ScriptOptions) {
    this.#ground = options;
  }

  /** @returns the line that sets the variable, where the value had none yet */
  #name(value: string, prefix: string, worth: (count: number) => string): void {
    if (this.#variables.has(value)) return;
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    const name = `${prefix}_${count}`;
    this.#variables.set(value, name);
    this.lines.push(`${name}=${worth(count)}`);
  }

  /** The store that the sequence's orders are for: the reader's own, where one is named. */
  store(steps: readonly TraceStep[]): void {
    const bodies = steps.flatMap((step) =>
      "exchange" in step ? [parseJson(step.exchange.requestBody ?? "")] : [],
    );
    const [first] = bodies.flatMap((body) => textsUnder(body, "external_store_id"));
    if (first === undefined) return;
    this.#variables.set(first, "STORE");
    this.lines.push(`STORE="\${STORE:-${first}}"`);
  }

  request(exchange: Exchange, later: string): void {
    const { redact, baseUrl } = this.#ground;
    const { requestHeaders, requestBody, violates } = exchange;
    const key = requestHeaders["idempotency-key"];
    if (key !== undefined && OWN_KEY.test(key)) this.#name(key, "KEY", (count) => `"key-$RUN-${count}"`);
    for (const reference of textsUnder(parseJson(requestBody ?? ""), "external_ref")) {
      if (OWN_REFERENCE.test(reference)) this.#name(reference, "ORDER", (count) => `"c-$RUN-${count}"`);
    }
    const words = ["call", exchange.method, this.#word(exchange.url.slice(baseUrl.length))];
    for (const [name, value] of Object.entries(requestHeaders)) {
      const ours = name === "authorization" && value.startsWith("Bearer ") && redact.knows(value.slice(7));
      words.push(
        "-H",
        ours ? `"authorization: Bearer $TOKEN"` : this.#word(`${name}: ${redact.text(value)}`),
      );
    }
    if (requestBody !== undefined) words.push("--data-raw", this.#word(redact.body(requestBody)));
    if (violates !== undefined) this.lines.push(`# on purpose: ${violates.replaceAll(/\s+/g, " ")}`);
    this.lines.push(words.join(" "));
    this.lines.push(`# ${this.#answered(exchange)}`);
    this.#keep(exchange, later);
  }

  control({ path, body }: ControlStep): void {
    this.lines.push(`control ${this.#word(path)} ${this.#word(JSON.stringify(body))}`);
  }

  #word(text: string): string {
    return shellWord(text, this.#variables);
  }

  #answered({ response, failure }: Exchange): string {
    return response ? `answered ${response.status}` : `no answer: ${this.#ground.redact.text(failure ?? "")}`;
  }

  /** Names what of the answer is sent again later. */
  #keep({ response }: Exchange, later: string): void {
    if (!response) return;
    const met = new Map<string, number>();
    for (const [, field = "", value = ""] of response.text.matchAll(TEXT_FIELD)) {
      const place = (met.get(field) ?? 0) + 1;
      met.set(field, place);
      if (!REUSABLE.test(value) || !later.includes(value) || this.#ground.redact.knows(value)) continue;
      this.#name(value, field.toUpperCase(), () => `"$(field ${field} ${place})"`);
    }
  }
}

/** A bash script that repeats one try of a property by curl, on any target. */
export function reproScript(
  description: string,
  steps: readonly TraceStep[],
  options: ScriptOptions,
): string {
  const scribe = new ScriptWriter(options);
  scribe.store(steps);
  for (const [index, step] of steps.entries()) {
    if ("control" in step) {
      scribe.control(step.control);
      continue;
    }
    const later = steps
      .slice(index + 1)
      .map((one) =>
        "control" in one ? `${one.control.path}` : `${one.exchange.url} ${one.exchange.requestBody ?? ""}`,
      )
      .join(" ");
    scribe.request(step.exchange, later);
  }
  const controlled = steps.some((step) => "control" in step);
  return [
    HEADER,
    `BASE="\${BASE:-${options.baseUrl}}"`,
    ...(controlled ? [CONTROL_HEADER, `CONTROL="\${CONTROL:-$BASE/control}"`] : []),
    ...description.split("\n").map((line) => `# ${line}`),
    ...scribe.lines,
    "",
  ].join("\n");
}

/** The steps of the tries of one check's properties: the last that failed is the simplest. */
export class PropertyTrace {
  #current: TraceStep[] = [];
  #failed: readonly TraceStep[] | undefined;

  begin(): void {
    this.#current = [];
  }

  add(step: TraceStep): void {
    this.#current.push(step);
  }

  fail(): void {
    this.#failed = this.#current;
  }

  /** The steps of the try that failed last. */
  get failed(): readonly TraceStep[] {
    return this.#failed ?? [];
  }
}
