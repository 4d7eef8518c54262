import { expect, test } from "vitest";
import { MachineError, machineErrorOf, openFilesExhausted } from "./machine-error.ts";

const coded = (code: string, more: ErrorOptions = {}) => Object.assign(new Error("failed", more), { code });

test.for(["EMFILE", "ENFILE", "ENOSPC", "EADDRNOTAVAIL", "ENOMEM", "ENOBUFS", "EAI_AGAIN", "EAI_FAIL"])(
  "%s is this machine's, wherever in an error it lies",
  (code) => {
    const own = coded(code);
    const within = [
      own,
      new TypeError("fetch failed", { cause: own }),
      new AggregateError([coded("ECONNREFUSED"), own], "every address failed"),
      coded("UND_ERR_CONNECT", { cause: new AggregateError([own]) }),
    ];
    for (const error of within) expect(machineErrorOf(error)).toMatchObject({ code });
  },
);

test("a MachineError stays itself", () => {
  const error = new MachineError("EMFILE", "raise it");
  expect(machineErrorOf(error)).toBe(error);
});

test.for(["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EHOSTUNREACH", "CERT_HAS_EXPIRED"])(
  "%s is the other side's",
  (code) => {
    expect(machineErrorOf(coded(code, { cause: coded("ETIMEDOUT") }))).toBeUndefined();
  },
);

test("an error that causes itself is no endless one, and what is no error is none of the machine's", () => {
  const error = coded("ECONNRESET");
  error.cause = error;
  expect(machineErrorOf(error)).toBeUndefined();
  expect(machineErrorOf("EMFILE")).toBeUndefined();
});

test("files that are left are no fault", () => {
  expect(openFilesExhausted()).toBeUndefined();
});
