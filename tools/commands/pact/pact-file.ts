import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { jsonExcess, member, parseJson } from "../../../suites/core/json.ts";
import { ambiguousJson, jsonBytesFault } from "../../../suites/core/json-bytes.ts";
import type { PactFile } from "../../../suites/server/pact/verify.ts";
import { readUntrusted } from "../../untrusted-file.ts";
import { UsageError } from "../../usage-error.ts";

/** The contract of a point of sale. The tests in suites/server/pact write it. */
const OWN_PACT = new URL("../../../suites/server/pact/point-of-sale.json", import.meta.url);

const ADVICE = "give a pact file";

const PARTY = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
const TEXTS = { type: "array", items: { type: "string" } };
const INTERACTIONS = {
  type: "array",
  items: {
    type: "object",
    required: ["description"],
    properties: {
      description: { type: "string" },
      type: { type: "string" },
      providerStates: { type: "array", items: PARTY },
      request: {
        type: "object",
        properties: {
          path: { type: "string" },
          headers: { type: "object", additionalProperties: { anyOf: [{ type: "string" }, TEXTS] } },
        },
      },
    },
  },
};

/** Validates the parts of a pact file that the command uses. */
const isPact = new Ajv2020({ allowUnionTypes: true, validateSchema: false }).compile<PactFile>({
  type: "object",
  required: ["consumer", "provider"],
  properties: { consumer: PARTY, provider: PARTY, interactions: INTERACTIONS, messages: INTERACTIONS },
  anyOf: [{ required: ["interactions"] }, { required: ["messages"] }],
});

/**
 * Reads a contract.
 * @param file the contract's path; undefined for the contract of a point of sale
 * @throws UsageError if the file can't be read, isn't a contract, or needs plugins
 */
export function readPact(file: string | undefined): PactFile {
  const bytes = file === undefined ? readFileSync(OWN_PACT) : readUntrusted(file, ADVICE);
  const text = bytes.toString();
  const refuse = (why: string) => new UsageError(`--pact ${file} isn't a pact file: ${why}`);
  const excess = jsonExcess(text);
  if (excess !== undefined) throw refuse(excess);
  const fault = jsonBytesFault(bytes)?.kind ?? ambiguousJson(text, parseJson(text));
  if (fault !== undefined) throw refuse(`the file ${fault}`);
  const data = parseJson(text);
  const plugins = member(data, "metadata", "plugins");
  if (Array.isArray(plugins) && plugins.length > 0)
    throw new UsageError(
      `--pact ${file} needs plugins, which the suite doesn't run because they are programs`,
    );
  if (isPact(data)) return data;
  const [error] = isPact.errors ?? [];
  throw refuse(`${error?.instancePath || "the file"} ${error?.message ?? "isn't a contract"}`);
}
