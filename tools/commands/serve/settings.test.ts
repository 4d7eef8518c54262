import { expect, test } from "vitest";
import { type ServeFlags, serveSettings } from "./settings.ts";

const settings = (flags: Partial<ServeFlags>, environment: NodeJS.ProcessEnv = {}) =>
  serveSettings({ simulator: true, ...flags }, environment);

test.each([
  ["localhost:3000", "http://localhost:3000/"],
  ["localhost:3000/hooks?a=b", "http://localhost:3000/hooks?a=b"],
  [":3000/hooks", "http://localhost:3000/hooks"],
  ["127.0.0.1:80", "http://127.0.0.1/"],
  ["[::1]:3000/hooks", "http://[::1]:3000/hooks"],
  ["https://example.com/hooks", "https://example.com/hooks"],
])("--forward-to %s", (given, url) => {
  expect(settings({ forwardTo: [given] }).forwarding?.urls).toEqual([url]);
});

test("events go to several addresses, also from the environment, with additional headers", () => {
  const two = settings(
    { forwardHeader: ["X-Tenant: moda", "authorization: Bearer a:b"] },
    {
      FORWARD_TO: "localhost:3000, localhost:3001/hooks",
    },
  );
  expect(two.forwarding).toMatchObject({
    urls: ["http://localhost:3000/", "http://localhost:3001/hooks"],
    headers: { "x-tenant": "moda", authorization: "Bearer a:b" },
  });
});

test("faults and logs", () => {
  expect(settings({})).toMatchObject({ faults: { latencyMs: 0, errorRate: 0 }, logs: "none" });
  expect(settings({ latency: "300ms", errorRate: "2.5%", logs: true })).toMatchObject({
    faults: { latencyMs: 300, errorRate: 0.025 },
    logs: "all",
  });
});

test.each<[Partial<ServeFlags>, RegExp]>([
  [{ forwardTo: ["localhost"] }, /--forward-to takes a host and port, or an http or https URL/],
  [{ forwardTo: ["ftp://a/b"] }, /such as localhost:3000\/hooks, not ftp:\/\/a\/b/],
  [{ forwardTo: ["a:1", "a:2", "a:3", "a:4", "a:5", "a:6"] }, /at most 5 receivers: an integrator/],
  [{ forwardHeader: ["a: b"] }, /--forward-header needs a receiver: --forward-to/],
  [{ forwardTo: ["a:1"], forwardHeader: ["webhook-id: 1"] }, /can't set webhook-id/],
  [
    { forwardTo: ["a:1"], forwardHeader: ["hush-hush"] },
    /^--forward-header takes a header such as "x-tenant: moda"$/,
  ],
  [{ latency: "fast" }, /--latency takes a duration such as 500ms/],
  [{ latency: "3m" }, /--latency takes 120s at most/],
  [{ errorRate: "2" }, /--error-rate takes a percentage up to 100%, such as 2%, not 2/],
  [{ errorRate: "101%" }, /--error-rate takes a percentage/],
  [{ simulator: false, speed: "5" }, /^--speed has no effect with --no-simulator: omit one of them$/],
  [{ simulator: false, seed: "5" }, /^--seed has no effect with --no-simulator: omit one of them$/],
  [{ logs: "some" }, /--logs takes all or errors, not some/],
])("%j is refused in one line", (flags, words) => {
  expect(() => settings(flags)).toThrow(words);
});

test.each<[NodeJS.ProcessEnv, RegExp]>([
  [{ FORWARD_TO: "localhost" }, /^FORWARD_TO takes a host and port/],
  [{ FORWARD_TO: "a:1,a:2,a:3,a:4,a:5,a:6" }, /^FORWARD_TO takes at most 5 receivers/],
  [{ CLIENT_ID: "my pos" }, /^CLIENT_ID takes up to 200 ASCII characters without spaces, not my pos$/],
  [{ PAIRING_CODE: "MY-CODE, MY CODE" }, /^PAIRING_CODE takes .*, not MY CODE$/],
])("an error about %j names the variable", (environment, words) => {
  expect(() => settings({}, environment)).toThrow(words);
});
