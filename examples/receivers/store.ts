/** The fields of an event that these samples read. */
export interface Event {
  readonly type: string;
  /** The full delivery; null for `webhook.test`. */
  readonly data: { readonly id: string; readonly version: number; readonly status: string } | null;
}

/**
 * An in-memory store for the samples. In production, use a database, and make `take` one transaction that
 * inserts the event's id under a unique key and writes the delivery `where version < …`. If it fails, the
 * service sends the event again.
 */
class Store {
  readonly #processedIds = new Set<string>();
  readonly deliveries = new Map<string, { readonly version: number; readonly status: string }>();

  /**
   * True if the event was processed. All delivery attempts of an event have the same webhook-id; they are
   * up to ten hours apart.
   */
  has(webhookId: string): boolean {
    return this.#processedIds.has(webhookId);
  }

  /** Processes an event once. Only a later version replaces an earlier one, because events can arrive out of order. */
  take(webhookId: string, { data }: Event): void {
    if (this.has(webhookId)) return;
    const stored = data && this.deliveries.get(data.id);
    if (data && (!stored || data.version >= stored.version)) {
      this.deliveries.set(data.id, { version: data.version, status: data.status });
    }
    this.#processedIds.add(webhookId);
  }
}

export const store = new Store();
