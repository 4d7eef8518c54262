/** Events in order, from several writers to one reader. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  #events: Event[] = [];
  #end: { readonly error?: unknown } | undefined;
  #news = Promise.withResolvers<void>();

  /** After the end, further events are ignored. */
  push(event: Event): void {
    if (this.#end) return;
    this.#events.push(event);
    this.#news.resolve();
  }

  end(): void {
    this.#end ??= {};
    this.#news.resolve();
  }

  /** Ends with an error, which the reader gets after all events. */
  fail(error: unknown): void {
    this.#end ??= { error };
    this.#news.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    for (;;) {
      await this.#news.promise;
      this.#news = Promise.withResolvers();
      const events = this.#events;
      this.#events = [];
      yield* events;
      if (this.#events.length > 0) continue;
      if (this.#end && "error" in this.#end) throw this.#end.error;
      if (this.#end) return;
    }
  }
}
