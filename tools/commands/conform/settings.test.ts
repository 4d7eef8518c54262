import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ConformFlags, conformSettings } from "./settings.ts";

function settingsOf(
  text: string,
  flags: ConformFlags = {},
  environment: Readonly<Record<string, string>> = {},
) {
  const config = join(mkdtempSync(join(tmpdir(), "conform-")), "conform.yaml");
  writeFileSync(config, text);
  return conformSettings({ config, ...flags }, environment);
}

const TARGET = "url: http://localhost:1\ncontrol: { url: http://localhost:1/control }\n";
const TOKEN = { CONFORM_CONTROL_TOKEN: "of-the-environment" };

test.each(["# url: https://dispatch.example\n", "claims: [api]\n", "image: { port: 80 }\n"])(
  "a settings file that names no server doesn't certify the embedded one: %j",
  (text) => {
    expect(() => settingsOf(text)).toThrow(
      /conform\.yaml names no server: add url \(or image\) to it, or give --url; without a settings file the embedded server is certified$/,
    );
    expect(
      settingsOf(text, { url: "http://localhost:1", controlUrl: "http://localhost:1/c" }, TOKEN).url,
    ).toBe("http://localhost:1");
  },
);

test("conform.yaml sets declarations, concurrency, timeout and baseline", () => {
  const file = `${TARGET}skip: ['limits.*', LIST-4]\njobs: 3\ntimeout: 2s\nbaseline: known.yaml\n`;
  const expected = { skip: ["limits.*", "LIST-4"], jobs: 3, answerMs: 2_000, baseline: "known.yaml" };
  expect(settingsOf(file, {}, TOKEN)).toMatchObject(expected);
  expect(settingsOf(file, { updateBaseline: true }, TOKEN)).toMatchObject({
    ...expected,
    updateBaseline: true,
  });
});

test("flags override conform.yaml", () => {
  const file = `${TARGET}skip: ['limits.*']\njobs: 3\ntimeout: 2s\nbaseline: known.yaml\n`;
  const flags = { skip: ["quotes.*"], jobs: "5", timeout: "7s", baseline: "other.yaml" };
  expect(settingsOf(file, flags, TOKEN)).toMatchObject({
    skip: ["quotes.*"],
    jobs: 5,
    answerMs: 7_000,
    baseline: "other.yaml",
  });
});

test("the control interface's token may come from the environment alone", () => {
  expect(settingsOf(TARGET, {}, TOKEN).control?.token).toBe("of-the-environment");
  expect(settingsOf(TARGET, { controlToken: "of-the-flag" }, TOKEN).control?.token).toBe("of-the-flag");
  expect(() => settingsOf(TARGET)).toThrow(/^a control interface needs its token: set CONFORM_CONTROL_TOKEN/);
});

const invalidSettings: readonly (readonly [
  string,
  ConformFlags,
  Readonly<Record<string, string>>,
  RegExp,
])[] = [
  ["url: localhost\n", {}, {}, /^url in .*conform\.yaml is not a URL: localhost/],
  [
    "url: http://localhost:1\ncontrol: { url: control }\n",
    {},
    TOKEN,
    /^control\.url in .*conform\.yaml is not/,
  ],
  [`${TARGET}timeout: 0s\n`, {}, TOKEN, /^timeout in .*conform\.yaml must be longer than 0/],
  [`${TARGET}max_wait: 577h\n`, {}, TOKEN, /^max_wait in .*conform\.yaml takes 576h at most, not 577h/],
  [
    "image: { name: an-image, startup: 577h }\n",
    {},
    {},
    /^image\.startup in .*conform\.yaml takes 576h at most, not 577h/,
  ],
  [`${TARGET}as_of: "99.9"\n`, {}, TOKEN, /^as_of in .*conform\.yaml 99\.9: there is no such version/],
  [TARGET, {}, { ...TOKEN, CONFORM_AS_OF: "99.9" }, /^CONFORM_AS_OF 99\.9: there is no such version/],
  [TARGET, { timeout: "soon" }, TOKEN, /^--timeout takes a duration/],
  [TARGET, {}, { ...TOKEN, CONFORM_URL: "localhost" }, /^CONFORM_URL is not a URL/],
  [TARGET, {}, { ...TOKEN, CONFORM_SEED: "one" }, /^CONFORM_SEED takes a whole number/],
  [TARGET, {}, { ...TOKEN, CONFORM_CLAIMS: "all" }, /^CONFORM_CLAIMS: all is not a level/],
  [TARGET, {}, { ...TOKEN, CONFORM_WITHOUT: "stores" }, /^CONFORM_WITHOUT: stores is not a case/],
];

test.each(invalidSettings)(
  "an error names the flag, variable or setting: %j %j %j",
  (text, flags, variables, message) => {
    expect(() => settingsOf(text, flags, variables)).toThrow(message);
  },
);

test.each([
  ["jobs: 0\n", /jobs has to be at least 1$/],
  ["jobs: many\n", /jobs has to be a whole number$/],
  ["timeout: 10\n", /timeout has to be written like 500ms, 10s or 1m$/],
  ["skip: limits\n", /skip has to be a list, such as \[limits\.\*, LIST-4\]$/],
])("%s is refused in one line", (text, message) => {
  expect(() => settingsOf(text)).toThrow(message);
});

test.each([
  ["", /conform\.yaml contains no settings: it takes lines such as "url: /],
  ["just words\n", /conform\.yaml contains no settings: it takes lines such as "url: /],
])("an empty settings file is refused: %j", (text, message) => {
  expect(() => settingsOf(text || "[]\n")).toThrow(message);
});

test("an empty pairing code is refused before the run", () => {
  expect(() => settingsOf(TARGET, { pairingCode: [""] }, TOKEN)).toThrow(/^a pairing code is empty/);
});

const WITH_LINE_END = { SECRET: "of-the-service\n" };

test.each<[string, ConformFlags, Readonly<Record<string, string>>, RegExp]>([
  [
    "{}\n",
    {},
    { CONFORM_CLIENT_SECRET: WITH_LINE_END.SECRET },
    /^CONFORM_CLIENT_SECRET contains a line break/,
  ],
  ["{}\n", { clientSecret: ["one", "two\r\n"] }, {}, /^--client-secret contains a line break/],
  [
    `credentials: [{ client_id: pos, client_secret: '\${SECRET}' }]\n`,
    {},
    WITH_LINE_END,
    /^client_secret in \S+conform\.yaml contains a line break: give the secret without the line break, for example as "\$\(cat FILE\)"$/,
  ],
])(
  "a secret with a line break is refused, and the message says so: %j %j",
  (text, flags, variables, message) => {
    const target = { clientId: ["pos"], url: "http://127.0.0.1:9" };
    expect(() => settingsOf(text, { ...target, ...flags }, variables)).toThrow(message);
  },
);

test("an invalid URL is reported before missing credentials", () => {
  expect(() => settingsOf("{}\n", { url: "127.0.0.1:9901" })).toThrow(/^--url is not a URL/);
});
