import { randomUUID } from "node:crypto";
import type { Identity } from "../identities/identity.ts";
import type { ValueSeeds } from "./drawn.ts";

/** The seeds of the values of each run of a check. */
export class CheckSeeds {
  /** How often each check has run, and with each integrator. */
  readonly #runs = new Map<string, number>();
  readonly #areIntegratorsNew: boolean;

  /** @param areIntegratorsNew false for configured credentials, which may have data of earlier runs */
  constructor(areIntegratorsNew: boolean) {
    this.#areIntegratorsNew = areIntegratorsNew;
  }

  /**
   * The texts are the same as in the first run, unless an integrator of the check has already used them. The ids are
   * new, because a server may confuse equal ids of two integrators, which is the fault of another check.
   */
  next(check: string, seed: number, integrators: readonly Identity[]): ValueSeeds {
    const names = integrators.map(({ credentials }) => `${check} ${credentials.client_id}`);
    const before = names.map((name) => this.#runs.get(name) ?? 0);
    const runs = this.#runs.get(check) ?? 0;
    for (const name of [check, ...names]) this.#runs.set(name, (this.#runs.get(name) ?? 0) + 1);
    const own = this.#areIntegratorsNew ? undefined : randomUUID();
    return {
      texts: `${seed} ${check} ${own ?? Math.max(0, ...before)}`,
      ids: `${seed} ${check} ${own ?? runs}`,
    };
  }
}
