import { expect, test } from "vitest";
import { CheckFailure } from "../failures/failure.ts";
import { forbiddenObservation } from "../failures/mismatch.ts";
import { expectationKind, expectOfKind } from "./expectation-kind.ts";
import { Counterexample } from "./property.ts";

const thrownBy = (run: () => void): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

const throws = (error: Error) => () => {
  throw error;
};

test("a failure is about a value by default", () => {
  expect(expectationKind(new CheckFailure(forbiddenObservation("wrong")))).toBe("value");
  expect(expectationKind(new Error("wrong"))).toBe("value");
  expect(expectationKind(new CheckFailure(forbiddenObservation("late"), { kind: "time" }))).toBe("time");
});

test("a failure gets the kind of the innermost expectation around it", () => {
  const wrong = new Error("429 expected");
  expect(thrownBy(() => expectOfKind("absence", () => expectOfKind("limit", throws(wrong))))).toBe(wrong);
  expect(expectationKind(wrong)).toBe("limit");
  expect(expectOfKind("limit", () => 3)).toBe(3);
});

test("the failure's own kind takes precedence", () => {
  const late = new CheckFailure(forbiddenObservation("late"), { kind: "time" });
  thrownBy(() => expectOfKind("limit", throws(late)));
  expect(expectationKind(late)).toBe("time");
});

test("a counterexample has the kind of its failure", () => {
  expect(
    expectationKind(
      new Counterexample(new CheckFailure(forbiddenObservation("late"), { kind: "time" }), "a case"),
    ),
  ).toBe("time");
});
