import { expect, test } from "vitest";
import { runSettings } from "./run-tool.ts";

const own = "https://dispatch.example";
const operator = {
  flags: { url: own, controlUrl: `${own}/control` },
  environment: { CONFORM_CONTROL_TOKEN: "a-control-token-of-the-test" },
};

test("without a URL argument the operator's target is certified", () => {
  expect(runSettings(operator, {})).toMatchObject({ url: own, control: { url: `${own}/control` } });
});

test.each([
  [`${own}/v2`],
  ["http://127.0.0.1:8080"],
  ["http://127.1:8080"],
  ["http://[::1]:8080"],
  ["http://localhost"],
])("%s is allowed, because it has the operator's origin or is on this machine", (url) => {
  expect(runSettings(operator, { url, control_url: `${url}/control` }).url).toBe(url);
});

test.each([
  ["http://dispatch.example"],
  ["https://dispatch.example:8443"],
  ["https://dispatch.example.evil.example"],
  ["http://127.0.0.1.evil.example"],
  ["http://localhost.evil.example"],
  ["http://10.0.0.1"],
])("%s gets no request and no secret", (url) => {
  const line = /^run doesn't send requests to .*: start mcp with --url /;
  expect(() => runSettings(operator, { url })).toThrow(line);
  expect(() => runSettings(operator, { control_url: url })).toThrow(line);
});
