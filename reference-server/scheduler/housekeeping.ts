/** Periodic work of an instance: takes over work of dead instances, and purges old records. */
import type { Parts } from "../parts.ts";
import { isAdvancing, releaseClock } from "./advance.ts";
import { purge } from "./retention.ts";

/** Real time between two rounds. */
const roundMs = 1000;
/** Rounds from one purge to the next. */
const purgeRounds = 600;

export class Housekeeping {
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #rounds = 0;
  /** Reports a lasting fault once, instead of in each round. */
  #isFaulty = false;
  #isStopped = false;

  /** Takes over work of dead instances, rejects if that fails, and starts the periodic rounds. */
  async start(parts: Parts): Promise<void> {
    await takeOver(parts);
    this.#wait(parts);
  }

  /** Resolves when the round in progress has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  #wait(parts: Parts): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#goRound(parts).finally(() => this.#wait(parts));
    }, roundMs).unref();
  }

  async #goRound(parts: Parts): Promise<void> {
    this.#rounds += 1;
    try {
      await takeOver(parts);
      await parts.dispatcher.sweep(parts);
      if (this.#rounds % purgeRounds === 0) await purge(parts);
      this.#isFaulty = false;
    } catch (error) {
      if (!this.#isFaulty) parts.reportFault(error);
      this.#isFaulty = true;
    }
  }
}

/** Takes over work of dead instances: attempts in progress, and clocks that they froze. */
async function takeOver(parts: Parts): Promise<void> {
  const { clocks, outbox } = parts.records;
  const leaseholders = await outbox.leaseholders(parts.database);
  const frozen = await clocks.frozen(parts.database);
  const others = [...leaseholders, ...frozen.map(({ clock_moved_by }) => clock_moved_by)].some(
    (instance) => instance !== parts.instances.id,
  );
  // Read after the leaseholders: an instance that joins in between then counts as present.
  const present = new Set<string | null>(others ? await parts.instances.present() : [parts.instances.id]);
  for (const instance of leaseholders) {
    if (!present.has(instance)) await outbox.releaseAll(parts.database, instance);
  }
  for (const { id, clock_frozen_at, clock_moved_by } of frozen) {
    const isOwn = clock_moved_by === parts.instances.id;
    if (isOwn ? isAdvancing(id) : present.has(clock_moved_by)) continue;
    await releaseClock(parts, id, clock_moved_by, clock_frozen_at);
  }
}
