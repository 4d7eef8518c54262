import { createHash } from "node:crypto";
import { testMutationGate } from "../../core/mutation/mutation-gate.ts";
import { testScope } from "../../core/mutation/scope.ts";
import { isActive } from "../check.ts";
import { checks } from "../checks/index.ts";
import { runsLast } from "../schedule/check-order.ts";
import { mutants } from "./index.ts";
import type { Mutant } from "./mutant.ts";
import { runMutant } from "./run-mutant.ts";

/** The number of files over which the mutants are distributed, so that they run in parallel. */
const MUTANT_FILES = 4;

/** Distributes mutants over shares, by a hash of their ids. Shares are counted from 1. */
const shareOf = (id: string, shares: number, salt = ""): number =>
  1 + (createHash("sha256").update(`${salt}${id}`).digest().readUInt32BE(0) % shares);

/** One mutant in this many waits for events in full. The other mutants stop waiting when their server is idle. */
const FULL_WAIT_SHARES = 10;
const fullyWaitingMutants: ReadonlySet<Mutant> = new Set(
  Object.entries<Mutant>(mutants).flatMap(([id, mutant]) =>
    shareOf(id, FULL_WAIT_SHARES, "waits ") === 1 ? [mutant] : [],
  ),
);

/**
 * Checks that miss mutants on a busy machine, like those that run last: one sends requests faster than a limit
 * recovers, and one responds to a webhook a second before the mutant's timeout.
 */
const NEED_AN_IDLE_MACHINE: readonly string[] = ["limits.remaining", "endpoints.fifteen-seconds"];

/** Registers the tests of one file, counted from 1. */
export const testMutantsOfFile = (file: number): void =>
  testMutationGate({
    checks,
    mutants,
    isOfFile: (id) => shareOf(id, MUTANT_FILES) === file,
    // A quick run doesn't repeat failures, unlike test:all and a user's run.
    runMutant: (mutant, tried) => {
      const { quick } = testScope();
      const waitsInFull = !quick && fullyWaitingMutants.has(mutant);
      return runMutant(mutant, tried, { confirms: !quick, waitsInFull });
    },
    concurrent: true,
    isBusy: (check) => isActive(check) && (runsLast(check) || NEED_AN_IDLE_MACHINE.includes(check.id)),
  });
