import { describe, expect, test } from "vitest";
import { schemaErrors } from "../testing/reading.ts";
import {
  anExchange,
  aReport,
  FAILED,
  failures,
  hostileReport,
  unverified,
} from "../testing/sample-report.ts";
import { renderHar } from "./har.ts";

const passing = aReport();
const failing = aReport({ outcomes: failures });
const incomplete = aReport({ outcomes: { [FAILED]: unverified } });
const hostile = hostileReport();
const all = { passing, failing, incomplete, hostile };

describe("exchanges.har", () => {
  const headers = { type: "array", items: { $ref: "#/$defs/pair" } };
  /** The required members of each object in HTTP Archive 1.2. */
  const HAR = {
    type: "object",
    required: ["log"],
    properties: {
      log: {
        type: "object",
        required: ["version", "creator", "entries"],
        properties: {
          version: { const: "1.2" },
          creator: { type: "object", required: ["name", "version"] },
          pages: {
            type: "array",
            items: {
              type: "object",
              required: ["startedDateTime", "id", "title", "pageTimings"],
              properties: { startedDateTime: { type: "string", format: "date-time" } },
            },
          },
          entries: { type: "array", items: { $ref: "#/$defs/entry" } },
        },
      },
    },
    $defs: {
      pair: {
        type: "object",
        required: ["name", "value"],
        properties: { name: { type: "string" }, value: { type: "string" } },
      },
      entry: {
        type: "object",
        required: ["startedDateTime", "time", "request", "response", "cache", "timings"],
        properties: {
          pageref: { type: "string" },
          startedDateTime: { type: "string", format: "date-time" },
          time: { type: "number", minimum: 0 },
          request: {
            type: "object",
            required: [
              "method",
              "url",
              "httpVersion",
              "cookies",
              "headers",
              "queryString",
              "headersSize",
              "bodySize",
            ],
            properties: {
              headers,
              queryString: headers,
              cookies: headers,
              postData: { type: "object", required: ["mimeType", "text"] },
            },
          },
          response: {
            type: "object",
            required: [
              "status",
              "statusText",
              "httpVersion",
              "cookies",
              "headers",
              "content",
              "redirectURL",
              "headersSize",
              "bodySize",
            ],
            properties: {
              headers,
              status: { type: "integer" },
              redirectURL: { type: "string" },
              content: {
                type: "object",
                required: ["size", "mimeType"],
                properties: { size: { type: "integer", minimum: 0 }, mimeType: { type: "string" } },
              },
            },
          },
          cache: { type: "object" },
          timings: {
            type: "object",
            required: ["send", "wait", "receive"],
            additionalProperties: { type: "number" },
          },
        },
      },
    },
  };
  const faults = schemaErrors(HAR);

  test.each(Object.entries(all))("has the format of HAR 1.2: %s", (_, report) => {
    expect(faults(JSON.parse(renderHar(report, {})))).toEqual([]);
  });

  test("contains the whole run with --har, including passed checks", () => {
    const [passed] = passing.checks;
    const wire = new Map([[passed?.id ?? "", [anExchange(), anExchange()]]]);
    const har: unknown = JSON.parse(renderHar(passing, { wire, har: true }));
    expect(faults(har)).toEqual([]);
    expect(har).toMatchObject({ log: { pages: [{ id: passed?.id }], entries: [{}, {}] } });
  });

  test("contains the report's exchanges, each with an existing page", () => {
    const { log } = JSON.parse(renderHar(failing, {}));
    const kept = failing.checks.flatMap(({ exchanges = [] }) => exchanges);
    expect(log.entries).toHaveLength(kept.length);
    const pages = log.pages.map(({ id }: { id: string }) => id);
    expect(pages).toEqual(expect.arrayContaining(log.entries.map((one: { pageref: string }) => one.pageref)));
    expect(log.entries[0].request.queryString).toEqual([{ name: "dry", value: "1" }]);
  });
});
