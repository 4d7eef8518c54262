import { expect, test } from "vitest";
import { selectionFlags } from "../../certification/plan.ts";
import { repeatCommand } from "./conform.ts";
import { type ConformFlags, conformSettings } from "./settings.ts";

const repeatCommandOf = (flags: ConformFlags, environment: Readonly<Record<string, string>> = {}) =>
  repeatCommand("npm run conform --", conformSettings({ seed: "7", ...flags }, environment));

const url = "http://service.example";

test("flags are repeated, and secrets are placeholders", () => {
  const line = repeatCommandOf({
    url,
    clientId: ["pos-1", "pos 2"],
    clientSecret: ["hidden-one", "hidden-two"],
    pairingCode: ["HIDDEN-CODE"],
    maxWait: "7m",
    timeout: "3s",
  });
  expect(line).toBe(
    `CONFORM_CLIENT_SECRET=…,… npm run conform -- --url ${url} --client-id pos-1 --client-id 'pos 2' --pairing-code … --timeout 3s --max-wait 7m --seed 7`,
  );
});

test("secrets from the environment are references to its variables", () => {
  const environment = { CONFORM_CLIENT_SECRET: "hidden", CONFORM_CONTROL_TOKEN: "hidden-too" };
  expect(repeatCommandOf({ url, clientId: ["pos-1"], controlUrl: `${url}/control` }, environment)).toBe(
    `CONFORM_CONTROL_TOKEN="$CONFORM_CONTROL_TOKEN" CONFORM_CLIENT_SECRET="$CONFORM_CLIENT_SECRET" npm run conform -- --url ${url} --control-url ${url}/control --client-id pos-1 --seed 7`,
  );
});

test("the embedded server needs only the seed", () => {
  expect(repeatCommandOf({})).toBe("npm run conform -- --seed 7");
});

test("a whole run is repeated with its selection of checks, and with the flags that decide its exit code", () => {
  const flags = { claims: "api", skip: ["limits.*"], strict: true, partial: true };
  expect(selectionFlags(conformSettings(flags, {}))).toEqual([
    "--claims api",
    "--skip 'limits.*'",
    "--strict",
    "--partial",
  ]);
  expect(selectionFlags(conformSettings({ only: ["tokens.*", "LIST-4"] }, {}))).toEqual([
    "--only 'tokens.*,LIST-4'",
  ]);
});
