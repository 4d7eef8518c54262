/** What these samples read of an event. */
export interface Event {
  readonly type: string;
  /** The full delivery; null for `webhook.test`. */
  readonly data: { readonly id: string; readonly version: number; readonly status: string } | null;
}

/**
 * What the samples keep, in memory. In yours it is a database, and `take` one transaction: the event's id under a unique
 * key, and the delivery written `where version < …`. Both or none: an event whose processing failed comes again.
 */
class Store {
  readonly #taken = new Set<string>();
  readonly deliveries = new Map<string, { readonly version: number; readonly status: string }>();

  /** Whether the event came before: tries of one event have one webhook-id, and lie up to ten hours apart. */
  has(webhookId: string): boolean {
    return this.#taken.has(webhookId);
  }

  /** Takes an event once, and only lets a later version replace an earlier one: events overtake each other. */
  take(webhookId: string, { data }: Event): void {
    if (this.has(webhookId)) return;
    const held = data && this.deliveries.get(data.id);
    if (data && (!held || data.version >= held.version)) {
      this.deliveries.set(data.id, { version: data.version, status: data.status });
    }
    this.#taken.add(webhookId);
  }
}

export const store = new Store();
