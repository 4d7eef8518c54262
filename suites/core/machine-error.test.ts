import { expect, test } from "vitest";
import { MachineError, machineErrorOf, openFilesExhausted } from "./machine-error.ts";

const coded = (code: string, more: ErrorOptions = {}) => Object.assign(new Error("failed", more), { code });

test.for(["EMFILE", "ENFILE", "ENOSPC", "EADDRNOTAVAIL", "ENOMEM", "ENOBUFS", "EAI_AGAIN", "EAI_FAIL"])(
  "%s is an error of this machine, at any depth of an error",
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

test("a MachineError is returned unchanged", () => {
  const error = new MachineError("EMFILE", "raise it");
  expect(machineErrorOf(error)).toBe(error);
});

test.for(["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EHOSTUNREACH", "CERT_HAS_EXPIRED"])(
  "%s isn't an error of this machine",
  (code) => {
    expect(machineErrorOf(coded(code, { cause: coded("ETIMEDOUT") }))).toBeUndefined();
  },
);

test("an error that is its own cause ends the search, and a value that isn't an error is no error of this machine", () => {
  const error = coded("ECONNRESET");
  error.cause = error;
  expect(machineErrorOf(error)).toBeUndefined();
  expect(machineErrorOf("EMFILE")).toBeUndefined();
});

test("no error is reported while file descriptors are left", () => {
  expect(openFilesExhausted()).toBeUndefined();
});
