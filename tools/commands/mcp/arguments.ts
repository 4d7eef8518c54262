import type { fromJsonSchema } from "@modelcontextprotocol/server";
import { Ajv2020 } from "ajv/dist/2020.js";
import { LEVELS } from "../../../suites/core/contract/claims.ts";
import { schemaMistake } from "../../settings/schema-mistake.ts";

type Schema = Parameters<typeof fromJsonSchema>[0];

const ids = (description: string): Schema => ({
  type: "array",
  items: { type: "string", minLength: 1 },
  minItems: 1,
  description,
});
const text = (description: string): Schema => ({ type: "string", minLength: 1, description });
const object = (properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema => ({
  type: "object",
  properties,
  required: [...required],
  additionalProperties: false,
});

export const SCHEMAS = {
  list_checks: object({
    subject: {
      type: "string",
      enum: ["server", "receiver", "client"],
      description: "the kind of implementation under test (default: server)",
    },
    only: ids("ids, groups, clause ids, globs of them, MUST or SHOULD, or words of a title or a clause"),
  }),
  explain: object({ id: text("id of a check, such as health.ok, or of a clause, such as LIST-9") }, "id"),
  run: object({
    url: text("base URL of the service (default: the target of the settings, or the embedded server)"),
    control_url: text("address of the service's control interface"),
    only: ids("only these checks: ids, groups, clause ids, globs, MUST or SHOULD, operations, or webhooks"),
    claims: {
      type: "array",
      items: { type: "string", enum: [...LEVELS.server] },
      minItems: 1,
      description: "levels to certify (default: all)",
    },
    seed: {
      type: "integer",
      minimum: 0,
      description: "seed of an earlier run, to repeat its random choices",
    },
    bail: { type: "integer", minimum: 1, description: "end the run after this number of failed MUST checks" },
    report: text("folder to write the report's files to"),
  }),
  read_report: object({
    report: text("a report's folder, or its report.json (default: the last run of this session)"),
    check: text("id of a check, to see it with its exchange"),
  }),
};

/** Validates a tool's arguments. Its error message has one line. */
export const validator: NonNullable<Parameters<typeof fromJsonSchema>[1]> = {
  getValidator<T>(schema: Schema) {
    const isRight = new Ajv2020({ strict: false, verbose: true, validateSchema: false }).compile<T>(schema);
    return (input: unknown) => {
      if (isRight(input)) return { valid: true, data: input, errorMessage: undefined };
      const errorMessage = schemaMistake(isRight.errors?.[0], "is not an argument");
      return { valid: false, data: undefined, errorMessage };
    };
  },
};
