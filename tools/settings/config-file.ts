import { existsSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../../suites/core/json.ts";
import { UsageError } from "../usage-error.ts";
import schema from "./conform.schema.json" with { type: "json" };
import { schemaMistake } from "./schema-mistake.ts";
import { parseYaml, readText } from "./yaml-file.ts";

/** The contents of conform.yaml, as described by tools/settings/conform.schema.json. */
export interface ConfigFile {
  url?: string;
  image?: { name?: string; port?: number; environment?: Record<string, string>; startup?: string };
  credentials?: { client_id: string; client_secret: string }[];
  pairing_codes?: string[];
  claims?: ("api" | "events" | "courier" | "time")[];
  without?: string[];
  as_of?: string;
  control?: { url: string; token?: string };
  skip?: string[];
  jobs?: number;
  timeout?: string;
  baseline?: string;
  receiver?: { bind?: string; public_url?: string; cert?: string; key?: string };
  country_point?: { lat: number; lng: number };
  max_wait?: string;
  event_types?: string[];
  statuses?: Record<string, string>;
}

const validate = new Ajv2020({ strict: false, verbose: true, validateSchema: false }).compile<ConfigFile>(
  schema,
);
const UNKNOWN_SETTING = "is not a setting";

/** Replaces `${NAME}` in every string with the environment variable NAME. */
function withVariables(value: unknown, file: string, environment: NodeJS.ProcessEnv): unknown {
  if (typeof value === "string") {
    return value.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const found = environment[name];
      if (found === undefined) {
        throw new UsageError(
          `${file} refers to \${${name}}, which the environment doesn't set: export ${name}=…`,
        );
      }
      return found;
    });
  }
  if (Array.isArray(value)) return value.map((entry) => withVariables(entry, file, environment));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, withVariables(entry, file, environment)]),
  );
}

/** The path of the settings file: --config, CONFORM_CONFIG, or ./conform.yaml; undefined if there is none. */
export const configFileFrom = (
  named: string | undefined,
  { CONFORM_CONFIG }: NodeJS.ProcessEnv,
): string | undefined => named ?? CONFORM_CONFIG ?? (existsSync("conform.yaml") ? "conform.yaml" : undefined);

/** Removes the settings that a command doesn't use, so that their environment variables aren't required. */
function withoutUnused(data: unknown, used: readonly (keyof ConfigFile)[]): unknown {
  if (!isObject(data)) return data;
  const unused = Object.keys(schema.properties).filter((name) => !used.some((setting) => setting === name));
  return Object.fromEntries(Object.entries(data).filter(([name]) => !unused.includes(name)));
}

/**
 * @param used the settings that the command uses. Defaults to all
 * @throws UsageError that names the file and the invalid setting
 */
export function readConfigFile(
  file: string,
  environment: NodeJS.ProcessEnv,
  used?: readonly (keyof ConfigFile)[],
): ConfigFile {
  const parsed = parseYaml(file, readText(file, "give an existing file with --config"));
  const content = parsed.content ?? {};
  const data = withVariables(used ? withoutUnused(content, used) : content, file, environment);
  if (validate(data)) return data;
  const [error] = validate.errors ?? [];
  if (error?.instancePath === "" && error.keyword === "type") {
    throw new UsageError(
      `${file} contains no settings: it takes lines such as "url: https://dispatch.example"`,
    );
  }
  throw new UsageError(`${file}: ${schemaMistake(error, UNKNOWN_SETTING)}`);
}
