/** How much an integrator has had kept today: without a bound its orders would fill the disk of all others. */
const dayMs = 24 * 3_600_000;

/** Bytes by integrator, since the last midnight in UTC; of this process alone. */
export class StorageQuota {
  readonly #bytes = new Map<string, number>();
  #day = 0;

  /** @param now milliseconds since 1970 */
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
