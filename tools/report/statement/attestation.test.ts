import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { renderJson } from "../formats/json.ts";
import { schemaErrors } from "../testing/reading.ts";
import { aReport, FAILED, failures, passed, SCHEDULE, unverified, WARNED } from "../testing/sample-report.ts";
import { renderAttestation } from "./attestation.ts";

const passing = aReport();
const failing = aReport({ outcomes: failures });
const incomplete = aReport({ outcomes: { [FAILED]: unverified } });

describe("attestation.json", () => {
  /** The schemas of Statement v1, ResourceDescriptor and test-result v0.1, as published at in-toto/attestation. */
  const STATEMENT = {
    type: "object",
    required: ["_type", "subject", "predicateType", "predicate"],
    properties: {
      _type: { const: "https://in-toto.io/Statement/v1" },
      subject: {
        type: "array",
        minItems: 1,
        items: { allOf: [{ $ref: "#/$defs/descriptor" }, { required: ["digest"] }] },
      },
      predicateType: { const: "https://in-toto.io/attestation/test-result/v0.1" },
      predicate: {
        type: "object",
        required: ["result", "configuration"],
        properties: {
          result: { enum: ["PASSED", "WARNED", "FAILED"] },
          configuration: { type: "array", items: { $ref: "#/$defs/descriptor" } },
          url: { type: "string", format: "uri" },
          passedTests: { type: "array", items: { type: "string" } },
          warnedTests: { type: "array", items: { type: "string" } },
          failedTests: { type: "array", items: { type: "string" } },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
    $defs: {
      descriptor: {
        type: "object",
        anyOf: [{ required: ["uri"] }, { required: ["digest"] }, { required: ["content"] }],
        properties: {
          name: { type: "string" },
          uri: { type: "string", format: "uri" },
          digest: {
            type: "object",
            minProperties: 1,
            properties: { sha256: { type: "string", pattern: "^[0-9a-f]{64}$" } },
          },
          content: { type: "string", pattern: "^[A-Za-z0-9+/]+={0,2}$", maxLength: 1_365 },
          downloadLocation: { type: "string", format: "uri" },
          mediaType: { type: "string" },
          annotations: { type: "object" },
        },
        additionalProperties: false,
      },
    },
  };
  const faults = schemaErrors(STATEMENT);

  test.each([
    ["PASSED", passing],
    ["WARNED", aReport({ outcomes: { [WARNED]: { ...passed, status: "failed" } } })],
    ["FAILED", failing],
    ["FAILED", incomplete],
  ])("is a statement in the published format: %s", (result, report) => {
    const statement = JSON.parse(renderAttestation(report));
    expect(faults(statement)).toEqual([]);
    expect(statement.predicate.result).toBe(result);
  });

  test("has the digest of report.json as written", () => {
    const { subject } = JSON.parse(renderAttestation(failing));
    const sha256 = createHash("sha256").update(renderJson(failing)).digest("hex");
    expect(subject).toEqual([{ name: "report.json", digest: { sha256 } }]);
  });

  test("lists each clause under its result", () => {
    const { predicate } = JSON.parse(renderAttestation(failing));
    const clausesOf = (...ids: readonly string[]) =>
      failing.clauses.filter(({ checks }) => checks.some(({ id }) => ids.includes(id))).map(({ id }) => id);
    const failed = clausesOf(FAILED, SCHEDULE);
    const warned = clausesOf(WARNED);
    const passing = failing.clauses.filter(({ checks }) => checks.length > 0).map(({ id }) => id);
    expect(predicate.failedTests).toEqual(failed);
    expect(predicate.warnedTests).toEqual(warned);
    expect(predicate.passedTests).toEqual(passing.filter((id) => ![...failed, ...warned].includes(id)));
  });
});
