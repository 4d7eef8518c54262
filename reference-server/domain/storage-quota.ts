const dayMs = 24 * 3_600_000;

/**
 * Counts the bytes that each integrator has stored through this process since midnight UTC. The HTTP service compares
 * the count with the daily limit, so that no integrator can fill the disk.
 */
export class StorageQuota {
  readonly #bytes = new Map<string, number>();
  #day = 0;

  /** @param now Unix time in milliseconds */
  add(integratorId: string, bytes: number, now: number): void {
    this.#bytes.set(integratorId, this.today(integratorId, now) + bytes);
  }

  today(integratorId: string, now: number): number {
    const day = Math.floor(now / dayMs);
    if (day !== this.#day) this.#bytes.clear();
    this.#day = day;
    return this.#bytes.get(integratorId) ?? 0;
  }
}
