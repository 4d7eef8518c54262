import { randomFrom } from "../../../../sandbox/simulator/random.ts";
import { member } from "../../../../suites/core/json.ts";
import { ambiguousJson, jsonBytesFault } from "../../../../suites/core/json-bytes.ts";
import { CONTROL_CHARACTERS } from "./attacks.ts";
import { disguises } from "./disguises.ts";
import { ROUNDS, type RoundOptions } from "./rounds.ts";
import type { HostileRun } from "./run.ts";

const MAX_BYTES = 1024 * 1024 * 1024;
/** The number of characters that identify a secret that was cut or base64-encoded. */
const TELLING_CHARS = 20;

/** A line that a GitHub Actions runner executes. Only annotations are allowed. */
const COMMAND = /^[\t\v\f\p{Zs}\ufeff\u0085]*::(?!(?:error|warning) title=)|##\[/mu;

/** Output that shows an internal fault of the suite. */
const OWN_FAULT = /a bug in courier-conform|\(a bug in the suite\)|Unhandled|^[\t ]+at .+:\d+:\d+$/m;
/** The characters shown around a finding. */
const SHOWN_CHARS = 150;

const forms = (secret: string): readonly string[] =>
  [
    ...disguises(secret),
    Buffer.from(secret)
      .toString("base64")
      .replace(/.{0,2}=*$/, ""),
    Buffer.from(secret).toString("base64url").slice(0, -2),
    ...(secret.length > TELLING_CHARS ? [secret.slice(0, TELLING_CHARS)] : []),
  ].filter((form) => form.length >= 8);

/** The report's verdict; undefined without a report. */
function verdictOf({ texts }: HostileRun): unknown {
  const text = texts["report.json"];
  if (text === undefined) return undefined;
  try {
    return member(JSON.parse(text), "verdict");
  } catch {
    return "unreadable";
  }
}

/**
 * The faults of a run. Empty if it withstood the attacks.
 * @param contradictions why a verified contract must not pass; undefined for commands that must never succeed
 */
export function faultsIn(
  run: HostileRun,
  secrets: ReadonlySet<string>,
  contradictions?: readonly string[],
): readonly string[] {
  const faults: string[] = [];
  const { code, hung, peakBytes = 0, durationMs, texts } = run;
  if (hung) faults.push(`it hung: ended by force after ${Math.round(durationMs / 1000)} s`);
  else if (code === null || code > 3 || (code === 0 && contradictions === undefined))
    faults.push(`exit code ${code}`);
  else if (code === 0) faults.push(...(contradictions ?? []).map((why) => `it passed, but ${why}`));
  if (peakBytes > MAX_BYTES) faults.push(`${Math.round(peakBytes / 1024 / 1024)} MB of memory`);
  const verdict = verdictOf(run);
  if (verdict === "CONFORMANT" || verdict === "unreadable") faults.push(`its verdict is ${verdict}`);
  // An ordinary word that a target calls a secret doesn't count as one.
  const isSecret = (text: string) => text.length >= 8 && /[\d-]/.test(text);
  const hidden = [...secrets].filter(isSecret).flatMap(forms);
  for (const [name, text] of Object.entries(texts)) {
    const controlCharacters = [...CONTROL_CHARACTERS].filter((one) => text.includes(one));
    if (controlCharacters.length > 0)
      faults.push(
        `${name} contains U+${controlCharacters.map((one) => one.codePointAt(0)?.toString(16)).join(", U+")}`,
      );
    const leaked = hidden.find((secret) => text.includes(secret));
    if (leaked !== undefined) faults.push(`${name} contains a secret (${leaked.slice(0, 4)}…)`);
    if (/^std/.test(name) && COMMAND.test(text)) faults.push(`${name} contains a workflow command`);
    const own = text.search(OWN_FAULT);
    if (/^std/.test(name) && own >= 0) {
      const around = text.slice(Math.max(0, own - SHOWN_CHARS), own + SHOWN_CHARS).trim();
      faults.push(`${name} reports a bug in the suite: ${around}`);
    }
  }
  for (const [name, text] of Object.entries(texts).filter(([name]) => /\.(?:json|har)$/.test(name))) {
    const fault = jsonBytesFault(Buffer.from(text)) ?? ambiguousJson(text, JSON.parse(text));
    if (fault !== undefined) faults.push(`${name} ${fault}`);
  }
  return faults;
}

interface HostileFuzzOptions extends Omit<RoundOptions, "random"> {
  readonly rounds: number;
  /** Called with the result at the end of each round. */
  readonly onRound: (line: string) => void;
}

/**
 * The maximum number of tries of a round. A round without an attack is repeated with another seed.
 */
const MAX_TRIES = 4;

/**
 * Runs the suite against hostile servers, clients and files.
 * @returns a line for each fault, with the flags that repeat its run
 */
export async function fuzzHostile(options: HostileFuzzOptions): Promise<readonly string[]> {
  const found: string[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const seed = options.seed + round + tries * ROUNDS.length;
      const { name, faults, attackCount } = await playRound({ ...options, seed });
      found.push(...faults.map((fault) => `${name}: ${fault} (--hostile --seed ${seed} --rounds 1)`));
      if (attackCount > 0) break;
      if (tries + 1 === MAX_TRIES) found.push(`${name}: no attack in ${MAX_TRIES} rounds`);
    }
  }
  return found;
}

async function playRound(options: HostileFuzzOptions) {
  const { seed, onRound } = options;
  const round = ROUNDS[seed % ROUNDS.length];
  if (round === undefined) throw new Error("there are no rounds");
  const { name } = round;
  const { run, secrets, attackCount, contradictions } = await round.play({
    ...options,
    random: randomFrom("hostile", seed),
  });
  const faults = faultsIn(run, secrets, contradictions);
  const peak = run.peakBytes === undefined ? "" : `, ${Math.round(run.peakBytes / 1024 / 1024)} MB`;
  const seconds = (run.durationMs / 1000).toFixed(1);
  onRound(
    `${name}: ${attackCount} attacks, exit ${run.code}, ${seconds} s${peak}${faults.length > 0 ? "  FOUND" : ""}`,
  );
  return { name, faults, attackCount };
}
