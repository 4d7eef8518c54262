import type { LeftBehind } from "../../../core/cleanup-report.ts";

const SHOWN_IDS = 5;

type Kind = LeftBehind["kind"];

/** Groups remaining objects by kind and reason. */
export class RemainingResources {
  readonly #ids = new Map<string, { readonly kind: Kind; readonly why: string; readonly ids: string[] }>();

  add(kind: Kind, why: string, ...ids: readonly string[]): void {
    if (ids.length === 0) return;
    const key = `${kind} ${why}`;
    const entry = this.#ids.get(key) ?? { kind, why, ids: [] };
    entry.ids.push(...ids);
    this.#ids.set(key, entry);
  }

  get list(): readonly LeftBehind[] {
    return [...this.#ids.values()].map(({ kind, why, ids }) => ({
      kind,
      count: ids.length,
      ids: ids.slice(0, SHOWN_IDS),
      why,
    }));
  }
}
