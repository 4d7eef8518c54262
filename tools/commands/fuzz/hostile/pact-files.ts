/** Hostile contracts for `pact`. */
import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { CONTROL_CHARACTERS, WORKFLOW_COMMANDS } from "./attacks.ts";

const MB = 1024 * 1024;
/** Just below the largest file that is read. */
const LARGE = 60 * MB;

const contract = (interactions: unknown, rest: object = {}): string =>
  JSON.stringify({ consumer: { name: "a" }, provider: { name: "b" }, interactions, ...rest });
const write = (text: string | Buffer) => (file: string) => writeFileSync(file, text);
const request = (path: unknown, more: object = {}) => ({
  description: `asks for ${String(path)}`,
  request: { method: "GET", path, ...more },
  response: { status: 200 },
});

/** Each writes a file at the path. */
export const PACT_FILES: Readonly<Record<string, (file: string) => void>> = {
  gigabyte(file) {
    writeFileSync(file, "");
    truncateSync(file, 1024 * MB);
  },
  brackets: (file) => writeFileSync(file, "[".repeat(LARGE)),
  "many-values": (file) => writeFileSync(file, contract([]).replace("[]", `[${"[],".repeat(LARGE / 3)}[]]`)),
  "deep-body": write(
    contract([request("/")]).replace('"GET"', `"GET","body":${"[".repeat(5_000)}${"]".repeat(5_000)}`),
  ),
  "endless-device": (file) => symlinkSync("/dev/zero", file),
  "pipe-without-writer": (file) => void execFileSync("mkfifo", [file]),
  "bad-utf-8": write(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
  "same-key-twice": write(
    `{"consumer":{"name":"a"},"provider":{"name":"b"},"interactions":[],"interactions":[{}]}`,
  ),
  "names-of-built-in-properties": write(
    contract(
      ["__proto__", "constructor", "toString"].map((name) => ({
        ...request(`/v1/${name}`),
        description: name,
        providerStates: [{ name }],
      })),
    ).replace("{", `{"__proto__":{"messages":[1]},`),
  ),
  "other-types": write(
    contract([
      null,
      1,
      [],
      { description: { toString: 1 }, providerStates: { length: 3 } },
      { description: "a", providerStates: [null, { name: {} }], request: { path: {}, headers: [null] } },
    ]),
  ),
  "other-types-inside": write(
    contract([
      { description: "a", request: { method: "GET", path: "/healthz", headers: { authorization: {} } } },
    ]),
  ),
  "control-characters-and-commands": write(
    contract(
      [
        {
          ...request("/healthz"),
          description: `${CONTROL_CHARACTERS}${WORKFLOW_COMMANDS}`,
          providerStates: [{ name: CONTROL_CHARACTERS }],
        },
      ],
      {
        consumer: { name: `${CONTROL_CHARACTERS}${WORKFLOW_COMMANDS}` },
      },
    ),
  ),
  "other-paths": write(
    contract(
      ["//127.0.0.1:1/x", "http://127.0.0.1:1/", "/../../etc/passwd", "/%00", "x", ""].map((path) =>
        request(path),
      ),
    ),
  ),
  plugins: write(
    contract([request("/healthz")], {
      metadata: { pactSpecification: { version: "4.0" }, plugins: [{ name: "hostile", version: "1.0.0" }] },
    }),
  ),
};
