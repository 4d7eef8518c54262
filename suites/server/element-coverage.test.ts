import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { paymentTypes } from "../../reference-server/domain/payment-types.ts";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { elementSets, type SetName } from "../core/contract/element-sets.ts";
import { type Clause, ledgerOf } from "../core/contract/ledger.ts";
import { certify } from "./certify.ts";
import { checks } from "./checks/index.ts";
import { elementMutants } from "./mutants/element-mutants.ts";
import { mutants } from "./mutants/index.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "./session/settings.ts";

const TIMEOUT_MS = 120_000;

const { clauses } = ledgerOf("server");
const overSets = clauses.flatMap((clause) =>
  clause.over === undefined ? [] : [{ ...clause, over: clause.over }],
);

/** The elements of a set; of one that the target lists, those that the reference server lists. */
const elementsIn = (set: SetName): readonly string[] =>
  set === "payment-codes" ? paymentTypes.map(({ kod }) => kod) : elementSets[set].elements;

const checksOf = ({ id }: Pick<Clause, "id">) =>
  checks.filter(({ clauses: verified }) => verified.includes(id));

test("a clause speaks of a set that there is, and each set is spoken of", () => {
  expect(overSets.filter(({ over }) => !Object.hasOwn(elementSets, over))).toEqual([]);
  const spokenOf = new Set<string>(overSets.map(({ over }) => over));
  expect(Object.keys(elementSets).filter((name) => !spokenOf.has(name))).toEqual([]);
});

test("no set holds an element twice", () => {
  const twice = Object.entries(elementSets).filter(
    ([, { elements }]) => new Set<string>(elements).size !== elements.length,
  );
  expect(twice.map(([name]) => name)).toEqual([]);
});

test("an embedded run comes to every element of every set that a clause speaks of, by that clause's checks", {
  timeout: TIMEOUT_MS,
}, async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken });
  try {
    const target = {
      url: server.url,
      credentials: [],
      pairingCodes: [],
      control: { url: server.controlUrl, token: controlToken },
      receiver: LOOPBACK_RECEIVER,
      point: DEFAULT_POINT,
      answerMs: 30_000,
      patienceMs: 0,
    };
    const { outcomes, trouble } = await certify(target, checks);
    expect(trouble).toEqual({});
    const missed = overSets.flatMap((clause) => {
      const seen = checksOf(clause)
        .flatMap(({ id }) => outcomes.get(id)?.coverage ?? [])
        .filter(({ set }) => set === clause.over);
      const covered = new Set(seen.flatMap((one) => one.covered));
      const all = [elementSets[clause.over].elements, ...seen.map((one) => one.missed)].flat();
      const left = all.filter((element) => !covered.has(element));
      return covered.size === 0 || left.length > 0 ? [`${clause.id}: ${left.join(", ") || "all"}`] : [];
    });
    expect(missed).toEqual([]);
  } finally {
    await server.close();
  }
});

describe("a mutant breaks each clause for each element of its set alone, and a check of the clause catches it", () => {
  test.for(overSets)("$id", (clause) => {
    const named = new Set<string>(checksOf(clause).flatMap((check) => check.mutants));
    const ids = elementsIn(clause.over).map((element) => elementMutants[clause.id]?.(element));
    expect(ids).not.toEqual([]);
    expect(ids.filter((id) => id === undefined || !Object.hasOwn(mutants, id) || !named.has(id))).toEqual([]);
  });
});

test("the table of mutants names clauses that speak of a set, and no others", () => {
  expect(Object.keys(elementMutants).toSorted()).toEqual(overSets.map(({ id }) => id).toSorted());
});
