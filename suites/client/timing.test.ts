/**
 * Tests the verdicts on a client's waits. The times are generated instead of measured, so the results are the
 * same on every machine.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Disturbance } from "../core/confirmation/disturbance.ts";
import { Redactor } from "../core/text/redact.ts";
import { clientChecks } from "./checks/index.ts";
import { WRONG_WAITS } from "./mutants/drawn-waits.ts";
import { backoff } from "./reference-client/behaviour.ts";
import { runCheck } from "./run-check.ts";
import { smallestScale } from "./session/waits/backoff.ts";
import { type Pace, simulatedRun } from "./testing/simulated-run.ts";

const RUNS = 100;
/** Redacts nothing, because simulated runs have no secrets. */
const redact = new Redactor();
/** The number of further orders with an outage when the first orders are inconclusive. */
const FURTHER_ORDERS = 24;

/** Pseudo-random numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Turnarounds in milliseconds of a client on an idle machine, of a client on a busy machine, and of a slow
 * client.
 */
const MACHINES = {
  quiet: (random: () => number) => 1 + 4 * random() ** 3,
  busy: (random: () => number) => 1 + 12 * random() ** 2 + (random() < 0.06 ? 250 * random() : 0),
  slow: (random: () => number) => 40 + 30 * random(),
} as const;

type Wait = (random: () => number) => Pace["wait"];

const RIGHT = {
  exact: () => (failures, asked) => Math.max(backoff(failures), asked ?? 0),
  "full jitter": (random) => (failures, asked) => Math.max(random() * backoff(failures), asked ?? 0),
  "full jitter, ten seconds at most": (random) => (failures, asked) =>
    Math.max(random() * Math.min(backoff(failures), 10), asked ?? 0),
  "half of it jitter": (random) => (failures, asked) =>
    Math.max(backoff(failures) * (0.5 + random() / 2), asked ?? 0),
  "a tenth of jitter": (random) => (failures, asked) =>
    Math.max(backoff(failures) * (0.9 + random() / 5), asked ?? 0),
  "a quarter of jitter": (random) => (failures, asked) =>
    Math.max(backoff(failures) * (0.75 + random() / 2), asked ?? 0),
  "five seconds at most": () => (failures, asked) => Math.max(Math.min(backoff(failures), 5), asked ?? 0),
  "five seconds at most, a tenth of jitter": (random) => (failures, asked) =>
    Math.max(Math.min(backoff(failures), 5) * (0.9 + random() / 5), asked ?? 0),
  "from 0.8 s": () => (failures, asked) => Math.max(0.8 * backoff(failures), asked ?? 0),
  "from 1.3 s": () => (failures, asked) => Math.max(Math.min(1.3 * backoff(failures), 60), asked ?? 0),
  "a second, then jitter up to three times the wait before": (random) => {
    let last = 1;
    return (failures, asked) => {
      last = failures === 1 ? 1 : Math.min(60, 1 + random() * (3 * last - 1));
      return Math.max(last, asked ?? 0);
    };
  },
  "jitter up to three times the wait before": (random) => {
    let last = 1;
    return (failures, asked) => {
      last = Math.min(60, 1 + random() * (3 * (failures === 1 ? 1 : last) - 1));
      return Math.max(last, asked ?? 0);
    };
  },
} satisfies Readonly<Record<string, Wait>>;
const WRONG = {
  none: () => (_failures, asked) => asked ?? 0,
  "none before the first repetition": () => (failures, asked) =>
    asked ?? (failures === 1 ? 0 : backoff(failures)),
} satisfies Readonly<Record<string, Wait>>;

function backoffGrows() {
  const check = clientChecks.find(({ id }) => id === "backoff.grows");
  if (!check) throw new Error("there is no such check");
  return check;
}

/** Waits without jitter that don't start at one second and double. */
const OTHERWISE = {
  "a second longer each time": () => (failures, asked) => Math.max(failures, asked ?? 0),
  "from five seconds": () => (failures, asked) => Math.max(Math.min(5 * backoff(failures), 60), asked ?? 0),
  "a minute each time": () => () => 60,
} satisfies Readonly<Record<string, Wait>>;

/** How often the backoff check has each outcome in a number of runs. */
function ends(
  wait: Wait,
  machine: keyof typeof MACHINES,
  pace: Pick<Pace, "timeScale" | "tries" | "again" | "isOnUsedConnection">,
) {
  const check = backoffGrows();
  const counts = { passed: 0, failed: 0, not_verified: 0 };
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const random = numbers(seed);
    const run = simulatedRun({ ...pace, turnaround: () => MACHINES[machine](random), wait: wait(random) });
    const { status } = runCheck(check, run, redact).outcome;
    if (status !== "passed" && status !== "failed" && status !== "not_verified") throw new Error(status);
    counts[status] += 1;
  }
  return counts;
}

/**
 * Lateness of a busy machine in milliseconds, with the same distribution after waits and between other
 * requests.
 */
const LATENESS = {
  spread: (random) => {
    const mean = 2 * 100 ** random();
    return () => 1 - mean * Math.log(1 - random());
  },
  occasional: (random) => {
    const [part, most] = [random() ** 2, 20 * 50 ** random()];
    return () => 1 + 3 * random() + (random() < part ? most * random() : 0);
  },
  "in bursts": (random) => {
    const [part, most, lasts] = [random(), 20 * 50 ** random(), 0.5 + 0.49 * random()];
    let isBusy = false;
    return () => {
      if (random() > lasts) isBusy = random() < part;
      return 1 + 3 * random() + (isBusy ? most * random() : 0);
    };
  },
  steady: (random) => {
    const least = 10 * 30 ** random();
    return () => least * (1 + random() / 10);
  },
} satisfies Readonly<Record<string, (random: () => number) => Pace["turnaround"]>>;

/** Periods of up to a few seconds in which the suite's own process was late. Half of the runs have none. */
const drawDisturbances = (random: () => number, timeScale: number): readonly Disturbance[] =>
  Array.from({ length: random() < 0.5 ? 0 : Math.ceil(30 * random() ** 2) }, () => {
    const from = 360_000 * timeScale * random() ** 2;
    return { kind: "suite-late", from, to: from + 500 + 4_000 * random() ** 2, what: "it was late" };
  });

/**
 * The outcomes of the backoff check with generated time scales, numbers of attempts, connections and lateness.
 */
const endsWhenLate = (wait: Wait, lateness: (random: () => number) => Pace["turnaround"]) =>
  Array.from({ length: RUNS }, (_, seed) => {
    const random = numbers(seed + 1);
    const timeScale = SCALES[Math.floor(random() * SCALES.length)] ?? 1;
    const tries = 4 + Math.floor(random() * 9);
    const again = random() < 0.5 ? 0 : FURTHER_ORDERS;
    const used = Math.floor(3 * random());
    const run = simulatedRun({
      timeScale,
      tries,
      again,
      isOnUsedConnection: (attempt) => attempt === used,
      disturbances: drawDisturbances(random, timeScale),
      turnaround: lateness(random),
      wait: wait(random),
    });
    return runCheck(backoffGrows(), run, redact).outcome.status;
  });

const late = (waits: Readonly<Record<string, Wait>>) =>
  Object.entries(waits).flatMap(([name, wait]) =>
    Object.entries(LATENESS).map(([shape, lateness]) => ({ name, wait, shape, lateness })),
  );

describe("a client on a busy machine, with any lateness", () => {
  test.each(
    late({
      "a second each time": () => (_, asked) => Math.max(1, asked ?? 0),
      "two seconds each time": () => (_, asked) => Math.max(2, asked ?? 0),
      "a second longer each time": () => (failures, asked) => Math.max(failures, asked ?? 0),
      "doubled from a tenth of a second": () => (failures, asked) =>
        Math.max(backoff(failures) / 10, asked ?? 0),
      "from five seconds": OTHERWISE["from five seconds"],
      none: WRONG.none,
    }),
  )("$name, late $shape: never passes", ({ wait, lateness }) => {
    expect(endsWhenLate(wait, lateness)).not.toContain("passed");
  });

  test.each(late(RIGHT))("$name, late $shape: never fails", ({ wait, lateness }) => {
    expect(endsWhenLate(wait, lateness)).not.toContain("failed");
  });
});

const SCALES = [0.05, 0.1, 0.3, 1];
const TRIES = [2, 5, 12];
const machines = ["quiet", "busy", "slow"] as const;

/** Every combination, with its name. */
const cases = (
  waits: Readonly<Record<string, Wait>>,
  scales = SCALES,
  on: readonly (keyof typeof MACHINES)[] = machines,
) =>
  Object.entries(waits).flatMap(([name, wait]) =>
    on.flatMap((machine) =>
      scales.flatMap((timeScale) =>
        TRIES.map((tries) => ({ name, wait, machine, pace: { timeScale, tries } })),
      ),
    ),
  );

/** Other kinds of jitter vary only later waits, of which a run has few. */
const { "a second, then jitter up to three times the wait before": firstExact, ...DECIDED_AT_ONCE } = RIGHT;

describe("a client with correct waits", () => {
  test.each(cases(RIGHT))("$name, $machine, $pace: never fails", ({ wait, machine, pace }) => {
    expect(ends(wait, machine, pace).failed).toBe(0);
  });

  test.each([
    ...cases({ exact: RIGHT.exact }, [0.05], ["quiet"]),
    ...cases(DECIDED_AT_ONCE, [0.1, 0.3, 1], ["quiet", "busy"]),
    ...cases(DECIDED_AT_ONCE, [1], ["slow"]),
  ])(
    "$name, $machine, $pace: passes, with further orders where its waits happen to be too short to be seen",
    ({ wait, machine, pace }) => {
      expect(ends(wait, machine, { ...pace, again: FURTHER_ORDERS }).passed).toBeGreaterThanOrEqual(
        0.95 * RUNS,
      );
    },
  );

  test("never fails if its library uses another kept connection for the second attempt, which the library may send by itself", () => {
    const pace = { timeScale: 0.1, tries: 12, isOnUsedConnection: (attempt: number) => attempt === 2 };
    for (const wait of Object.values(RIGHT)) expect(ends(wait, "quiet", pace).failed).toBe(0);
  });

  test("passes with further orders if only its later waits have jitter", () => {
    const pace = { timeScale: 0.1, tries: 4, again: 24 };
    const ended = ends(firstExact, "quiet", pace);
    expect(ended.failed).toBe(0);
    expect(ended.passed).toBeGreaterThanOrEqual(0.95 * RUNS);
  });

  test("a pause between orders isn't a turnaround", () => {
    const random = numbers(1);
    const { turnaround } = simulatedRun({
      timeScale: 0.1,
      tries: 3,
      turnaround: () => MACHINES.quiet(random),
      wait: backoff,
      betweenOrders: () => 2_000 * random(),
    });
    expect(turnaround.most).toBeLessThan(10);
  });
});

describe("a client whose waits don't double from one second on", () => {
  test.each(cases(OTHERWISE, [0.1, 0.3, 1], ["quiet"]).filter(({ pace }) => pace.tries > 2))(
    "$name, $machine, $pace: fails",
    ({ wait, machine, pace }) => {
      expect(ends(wait, machine, pace).failed).toBe(RUNS);
    },
  );

  test.each(
    Object.entries(WRONG_WAITS).flatMap(([name, drawn]) =>
      [0.1, 0.3, 1].map((timeScale) => ({ name, drawn, timeScale })),
    ),
  )("$name, drawn, scale $timeScale: fails", ({ drawn, timeScale }) => {
    const check = backoffGrows();
    const passed = fc.sample(drawn, { seed: RUNS, numRuns: RUNS }).filter(({ tries, wait }, seed) => {
      const turnaround = () => MACHINES.quiet(random);
      const random = numbers(seed);
      const waits: Pace["wait"] = (failures, asked) => Math.max(wait(failures), asked ?? 0);
      const run = simulatedRun({ timeScale, tries, turnaround, wait: waits, again: 24 });
      return runCheck(check, run, redact).outcome.status !== "failed";
    });
    expect(passed.map(({ tries, wait }) => ({ tries, waits: [1, 2, 3].map(wait) }))).toEqual([]);
  });

  test.each(Object.entries(OTHERWISE))(
    "%s, with the second attempt on a kept connection: fails",
    (_, wait) => {
      const pace = { timeScale: 0.1, tries: 12, isOnUsedConnection: (attempt: number) => attempt === 2 };
      expect(ends(wait, "quiet", pace).failed).toBe(RUNS);
    },
  );

  test("reports the cause of each wait", () => {
    const wait = (failures: number, asked: number | undefined) => Math.max(failures, asked ?? 0);
    const run = simulatedRun({ timeScale: 1, tries: 12, turnaround: () => 2, wait, again: FURTHER_ORDERS });
    const { expected, actual } = runCheck(backoffGrows(), run, redact).outcome;
    expect(expected).toBe(
      "1, 2, 4, 8, 16, 32, 60, 60, 60 s, or stay at a limit once the waits reach the limit",
    );
    expect(actual?.split("\n").slice(1, 3)).toEqual([
      "  1.00 s after 500 SUNUCU_HATASI (POST /v1/deliveries),",
      "  2.00 s after 502 with a page in HTML (POST /v1/deliveries),",
    ]);
  });

  test.each(
    cases(
      { five: OTHERWISE["from five seconds"], minute: OTHERWISE["a minute each time"] },
      [0.1, 0.3, 1],
      ["quiet", "busy"],
    ),
  )("from $name, $machine, $pace: fails by its first waits alone", ({ wait, machine, pace }) => {
    expect(ends(wait, machine, pace).failed).toBe(RUNS);
  });
});

describe("a client that never waits, or doesn't wait before the first retry", () => {
  test.each(cases(WRONG))("$name, $machine, $pace: doesn't pass", ({ wait, machine, pace }) => {
    expect(ends(wait, machine, pace).passed).toBe(0);
  });

  test.each([...cases(WRONG, [0.1, 0.3, 1], ["quiet"]), ...cases(WRONG, [1], ["busy", "slow"])])(
    "$name, $machine, $pace: fails",
    ({ wait, machine, pace }) => {
      expect(ends(wait, machine, pace).failed).toBe(RUNS);
    },
  );

  test.each([0.05, 0.1, 0.3, 1].flatMap((timeScale) => machines.map((machine) => ({ timeScale, machine }))))(
    "only after network errors, $machine, scale $timeScale: mostly doesn't pass",
    ({ timeScale, machine }) => {
      const wait: Wait = () => (failures, asked, wasAnswered) =>
        wasAnswered ? Math.max(backoff(failures), asked ?? 0) : 0;
      expect(ends(wait, machine, { timeScale, tries: 12 }).passed).toBeLessThanOrEqual(0.25 * RUNS);
    },
  );

  test("is detected on a busy machine at the smallest time scale if further orders get errors", () => {
    const pace = { timeScale: 0.05, tries: 2, again: 24 };
    expect(ends(WRONG.none, "busy", pace).failed).toBeGreaterThanOrEqual(0.99 * RUNS);
    for (const wait of Object.values(RIGHT)) expect(ends(wait, "busy", pace).failed).toBe(0);
  });

  test("is detected on a busy machine if only calls other than orders lack waits, because these calls get further failures", () => {
    const random = numbers(4);
    const run = simulatedRun({
      timeScale: 1,
      tries: 3,
      turnaround: () => 30 + 140 * random(),
      wait: (failures, asked, _, isOrder) => Math.max(isOrder ? backoff(failures) : 0, asked ?? 0),
    });
    expect(backoffGrows().scenariosToRepeat?.(run)).toEqual([
      "token-unavailable",
      "store-unavailable",
      "quote-server-error",
      "change-unavailable",
      "cancel-server-error",
      "page-unavailable",
    ]);
  });

  test("reports a sufficient time scale", () => {
    const random = numbers(2);
    const run = simulatedRun({
      timeScale: 0.05,
      tries: 2,
      turnaround: () => MACHINES.slow(random),
      wait: () => 0,
    });
    expect(smallestScale(run.turnaround)).toBeGreaterThan(0.3);
    expect(smallestScale(run.turnaround)).toBeLessThanOrEqual(1);
    expect(runCheck(backoffGrows(), run, redact).outcome).toMatchObject({
      status: "not_verified",
      message: expect.stringMatching(
        /^even without a wait the client takes up to \d+ ms .*: use --time-scale (0\.\d+ or more|1)$/,
      ),
    });
  });

  test("reports which waits of which calls were too short", () => {
    const wait: Pace["wait"] = (failures, asked) => Math.max(backoff(failures) / 10, asked ?? 0);
    const run = simulatedRun({ timeScale: 1, tries: 2, turnaround: () => 2, wait });
    const { subject, expected, actual = "" } = runCheck(backoffGrows(), run, redact).outcome;
    expect(subject).toBe("the first wait of each call");
    expect(actual.match(/ 0\.10 s after .+ \(POST \/v1\/deliveries\)/g)).toHaveLength(6);
    expect(actual.match(/ 0\.10 s after /g)).toHaveLength(9);
    expect(expected).toBe("about 1 s, or a random part of each wait");
  });

  test("suggests no more than the largest time scale to a distant client", () => {
    const random = numbers(3);
    const run = simulatedRun({
      timeScale: 0.1,
      tries: 2,
      turnaround: () => 290 + 10 * random(),
      wait: () => 0,
    });
    expect(runCheck(backoffGrows(), run, redact).outcome.message).toMatch(/: use --time-scale 1$/);
  });
});
