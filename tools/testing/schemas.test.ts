import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SCHEMAS = [
  "openapi/generated/control.json",
  "openapi/generated/courier-dispatch.json",
  ...globSync("tools/**/*.schema.json", { cwd: ROOT, exclude: ["tools/testing/**"] }),
];

test.each(SCHEMAS)("%s is a valid schema, because the product doesn't validate it", (file) => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const schema: object = JSON.parse(readFileSync(`${ROOT}${file}`, "utf8"));
  expect(() => ajv.addSchema(schema, "it")).not.toThrow();
  expect(SCHEMAS.length).toBeGreaterThan(4);
});
