import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const PROGRAM = `
import { StrayErrors } from "${new URL("stray-errors.ts", import.meta.url).href}";
const stray = new StrayErrors();
Promise.reject(new Error("in a promise"));
setImmediate(() => { throw new Error("in a callback"); });
await new Promise((resolve) => setTimeout(resolve, 20));
stray.close();
console.log(stray.messages.map((message) => message.split("\\n")[0]).join("; "));
setImmediate(() => { throw new Error("after the run"); });
`;

test("uncaught errors are collected during a run, and end the process afterwards", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", PROGRAM], {
    encoding: "utf8",
  });
  expect(stdout).toBe("Error: in a promise; Error: in a callback\n");
  expect(stderr).toContain("Error: after the run");
  expect(status).toBe(1);
});
