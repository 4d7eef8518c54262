import type { ReceiverDependencies, SignedRequest } from "../reference-receiver/dependencies.ts";
import { alterDependencies, type ReceiverMutant } from "./mutant.ts";

const comparing = (same: ReceiverDependencies["same"]): ReceiverMutant["mutate"] =>
  alterDependencies(() => ({ same }));

const reading = (
  entries: (header: string, original: ReceiverDependencies["entries"]) => readonly string[],
): ReceiverMutant["mutate"] =>
  alterDependencies((original) => ({ entries: (header) => entries(header, original.entries) }));

const rewritingDue = (write: (base64: string) => string): ReceiverMutant["mutate"] =>
  alterDependencies(({ same }) => ({ same: (given, expected) => same(given, write(expected)) }));

const sumOf = (text: string): number => Buffer.from(text, "base64").reduce((sum, byte) => sum + byte, 0);

/** Skips the verification of a request if it has accepted one with the same value of `what`. */
function trusting(what: (signed: SignedRequest) => string): ReceiverMutant["mutate"] {
  return alterDependencies(({ isGenuine }) => {
    const seen = new Set<string>();
    return {
      isGenuine(deps, signed) {
        const genuine = seen.has(what(signed)) || isGenuine(deps, signed);
        if (genuine) seen.add(what(signed));
        return genuine;
      },
    };
  });
}

const versionOf = (entry: string): string => entry.split(",")[0] ?? "";
const restOf = (entry: string): string => entry.slice(entry.indexOf(",") + 1);

export const comparingMutants = {
  "trusts-signatures-it-saw": {
    fault: "a signature that matched once is accepted for every event",
    caughtBy: ["tampering.signature-of-another"],
    mutate: trusting(({ signature }) => signature),
  },
  "trusts-ids-it-saw": {
    fault: "an event with a known id isn't verified",
    caughtBy: ["tampering.signature-of-another"],
    mutate: trusting(({ id }) => id),
  },
  "expects-hex": {
    fault: "signatures are expected in hex",
    caughtBy: ["signatures.genuine"],
    mutate: rewritingDue((base64) => Buffer.from(base64, "base64").toString("hex")),
  },
  "expects-the-base64-of-urls": {
    fault: "signatures are expected in the base64 of URLs",
    caughtBy: ["signatures.genuine"],
    mutate: alterDependencies(({ same }) => ({
      same: (given, expected) =>
        same(given.replace(/=+$/, ""), expected.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")),
    })),
  },
  "reads-plus-as-a-space": {
    fault: "the signature is decoded like a form, so plus signs become spaces",
    caughtBy: ["signatures.genuine"],
    mutate: reading((header, original) => original(header).map((entry) => entry.replaceAll("+", " "))),
  },
  "ignores-the-case-of-signatures": {
    fault: "signatures are compared without regard to case",
    caughtBy: ["signatures.exact"],
    mutate: comparing((given, expected) => given.toLowerCase() === expected.toLowerCase()),
  },
  "compares-the-first-characters": {
    fault: "only the first eight characters of a signature are compared",
    caughtBy: ["signatures.exact", "signatures.whole-digest"],
    mutate: comparing((given, expected) => given.slice(0, 8) === expected.slice(0, 8)),
  },
  "compares-the-last-characters": {
    fault: "only the last eight characters of a signature are compared",
    caughtBy: ["signatures.exact"],
    mutate: comparing((given, expected) => given.slice(-8) === expected.slice(-8)),
  },
  "compares-up-to-the-sent-length": {
    fault: "any prefix of the correct signature is accepted",
    caughtBy: ["signatures.whole-digest"],
    mutate: comparing((given, expected) => given !== "" && expected.startsWith(given)),
  },
  "compares-up-to-the-expected-length": {
    fault: "any text that begins with the correct digest is accepted",
    caughtBy: ["signatures.whole-digest"],
    mutate: comparing((given, expected) => {
      const digest = Buffer.from(expected, "base64");
      return Buffer.from(given, "base64").subarray(0, digest.length).equals(digest);
    }),
  },
  "searches-the-header-for-the-signature": {
    fault: "the correct signature may be anywhere in the header's text",
    caughtBy: ["signatures.whole-digest"],
    mutate: alterDependencies(({ entries }) => ({
      entries: (header) => [...entries(header), header],
      same: (given, expected) => given.includes(expected),
    })),
  },
  "compares-sums-of-bytes": {
    fault: "signatures are compared by the sum of their bytes",
    caughtBy: ["signatures.exact"],
    mutate: comparing((given, expected) => sumOf(given) === sumOf(expected)),
  },
  "accepts-empty-signatures": {
    fault: "an empty signature matches",
    caughtBy: ["signatures.whole-digest"],
    mutate: comparing((given, expected) => given === "" || given === expected),
  },
  "reads-the-first-signature": {
    fault: "only the first entry is compared",
    caughtBy: ["signatures.several", "signatures.with-unknown-versions"],
    mutate: reading((header, original) => original(header.split(" ")[0] ?? "")),
  },
  "reads-the-last-signature": {
    fault: "only the last signature is compared",
    caughtBy: ["signatures.several"],
    mutate: reading((header, original) => original(header).slice(-1)),
  },
  "reads-two-signatures-at-most": {
    fault: "only the first two signatures are compared",
    caughtBy: ["signatures.several"],
    mutate: reading((header, original) => original(header).slice(0, 2)),
  },
  "separates-signatures-at-commas": {
    fault: "several signatures are expected to be separated by commas",
    caughtBy: ["signatures.several"],
    mutate: reading((header, original) => original(header.replaceAll(" ", "\n"))),
  },
  "separates-at-every-comma": {
    fault: "an entry with more than one comma gets 500",
    caughtBy: ["signatures.with-unknown-versions"],
    mutate: alterDependencies(({ refusal, header }) => ({
      refusal(deps, request) {
        const entries = (header(request, "webhook-signature") ?? "").split(" ");
        return entries.some((entry) => entry.split(",").length > 2) ? 500 : refusal(deps, request);
      },
    })),
  },
  "compares-the-whole-header": {
    fault: "the whole header is compared with one signature",
    caughtBy: ["signatures.several"],
    mutate: reading((header, original) => (header.includes(" ") ? [] : original(header))),
  },
  "all-signatures-have-to-match": {
    fault: "every signature in a list has to match",
    caughtBy: ["signatures.several"],
    mutate: alterDependencies(({ isGenuine }) => ({
      isGenuine: (deps, signed) =>
        signed.signature.split(" ").every((signature) => isGenuine(deps, { ...signed, signature })),
    })),
  },
  "accepts-any-list-of-several-signatures": {
    fault: "a list is accepted if one of its signatures doesn't match",
    caughtBy: ["signatures.several-wrong"],
    mutate: alterDependencies(({ isGenuine }) => ({
      isGenuine: (deps, signed) => deps.entries(signed.signature).length > 1 || isGenuine(deps, signed),
    })),
  },
  "accepts-equal-signatures": {
    fault: "two equal signatures are accepted",
    caughtBy: ["signatures.several-wrong"],
    mutate: alterDependencies(({ isGenuine }) => ({
      isGenuine(deps, signed) {
        const given = deps.entries(signed.signature);
        return new Set(given).size < given.length || isGenuine(deps, signed);
      },
    })),
  },
  "refuses-unknown-versions": {
    fault: "a request with an entry of an unknown version is refused",
    caughtBy: ["signatures.with-unknown-versions"],
    mutate: alterDependencies(({ isGenuine }) => ({
      isGenuine: (deps, signed) =>
        signed.signature.split(" ").every((entry) => versionOf(entry) === "v1") && isGenuine(deps, signed),
    })),
  },
  "accepts-any-version": {
    fault: "the version of a signature is ignored",
    caughtBy: ["signatures.other-versions-alone"],
    mutate: reading((header) =>
      header
        .split(" ")
        .filter((entry) => entry.includes(","))
        .map(restOf),
    ),
  },
  "accepts-versions-that-begin-with-v1": {
    fault: "every version that begins with v1 is accepted",
    caughtBy: ["signatures.other-versions-alone"],
    mutate: reading((header) =>
      header
        .split(" ")
        .filter((entry) => entry.startsWith("v1"))
        .map(restOf),
    ),
  },
  "accepts-signatures-without-a-version": {
    fault: "a signature without a version is accepted",
    caughtBy: ["signatures.other-versions-alone"],
    mutate: reading((header, original) => [...original(header), ...header.split(" ")]),
  },
} satisfies Record<string, ReceiverMutant>;
