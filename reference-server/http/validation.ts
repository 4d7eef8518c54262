/** Validates requests against the document. Validators are compiled on demand, and cached per document. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import type { Input, RawInput } from "../contract/calls.ts";
import type { OpenApiDocument } from "../contract/documents.ts";
import type { ParameterLocation, Route } from "../contract/routes.ts";
import { isInstant } from "../domain/instants.ts";
import { DomainError, rejected } from "../errors.ts";
import { keywords, type ValidationContext } from "./keywords.ts";
import { isStorable } from "./texts.ts";

const root = "document";

interface RouteChecks {
  path: ValidateFunction | undefined;
  query: ValidateFunction | undefined;
  header: ValidateFunction | undefined;
  body: ValidateFunction | undefined;
}

class Validators {
  readonly #bodies: Ajv2020;
  /** Path, query and header values are text, and are converted to the schema's type. */
  readonly #texts: Ajv2020;
  /** The compiled validators by operationId. Servers with the same document share the validators. */
  readonly #compiled = new Map<string, RouteChecks>();

  constructor(document: OpenApiDocument) {
    this.#bodies = ajvFor(document, false);
    this.#texts = ajvFor(document, true);
  }

  of(route: Route): RouteChecks {
    let checks = this.#compiled.get(route.operationId);
    if (checks === undefined) {
      const pointer = route.body?.jsonPointer;
      checks = {
        path: this.#parameters(route, "path"),
        query: this.#parameters(route, "query"),
        header: this.#parameters(route, "header"),
        body: pointer === undefined ? undefined : this.#bodies.compile(refTo(pointer)),
      };
      this.#compiled.set(route.operationId, checks);
    }
    return checks;
  }

  #parameters(route: Route, location: ParameterLocation): ValidateFunction | undefined {
    const parameters = route.parameters.filter((parameter) => parameter.location === location);
    if (parameters.length === 0) return undefined;
    return this.#texts.compile({
      type: "object",
      properties: Object.fromEntries(parameters.map(({ name, pointer }) => [name, refTo(pointer)])),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
    });
  }
}

function ajvFor(document: OpenApiDocument, coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    // Errors include their schema, which the messages use.
    verbose: true,
    // A number out of range is parsed as infinite, which JSON can't represent.
    strictNumbers: true,
    validateSchema: false,
    passContext: true,
    useDefaults: true,
    coerceTypes,
    keywords,
  });
  ajvFormats.default(ajv);
  ajv.addFormat("date-time", isInstant);
  ajv.addSchema(document, root);
  return ajv;
}

function refTo(pointer: string): { $ref: string } {
  return { $ref: `${root}#${pointer.split("/").map(encodeURIComponent).join("/")}` };
}

const known = new WeakMap<OpenApiDocument, Validators>();

function validatorsOf(document: OpenApiDocument): Validators {
  let validators = known.get(document);
  if (validators === undefined) {
    validators = new Validators(document);
    known.set(document, validators);
  }
  return validators;
}

/**
 * Validates a request and fills in the document's defaults.
 *
 * Throws DOGRULAMA with the field and reason. An invalid path parameter is BULUNAMADI, like an unknown id.
 */
export function checkInput<Operation>(
  document: OpenApiDocument,
  route: Route,
  input: RawInput,
  context: ValidationContext,
): asserts input is RawInput & Input<Operation> {
  const checks = validatorsOf(document).of(route);
  const errorsIn = (validate: ValidateFunction | undefined, value: unknown) =>
    validate === undefined || validate.call(context, value) ? undefined : (validate.errors ?? []);

  if (errorsIn(checks.path, input.path) !== undefined) throw new DomainError("BULUNAMADI");
  for (const { name, location, isNumber } of route.parameters) {
    if (location === "path" && !isStorable(Reflect.get(Object(input.path), name))) {
      throw new DomainError("BULUNAMADI");
    }
    if (location !== "query") continue;
    const value: unknown = Reflect.get(Object(input.query), name);
    if (!isStorable(value)) throw rejected(name, "metin geçersiz karakter içeriyor");
    if (isNumber && value !== undefined && !isNumeral(value)) throw rejected(name, "sayı olmalı");
  }
  const errors = errorsIn(checks.query, input.query) ?? errorsIn(checks.header, input.headers);
  if (errors !== undefined) throw refusal(errors);
  if (input.body === undefined) {
    if (route.body?.required) throw rejected("body", "gövde zorunlu");
    return;
  }
  const bodyErrors = errorsIn(checks.body, input.body);
  if (bodyErrors !== undefined) throw refusal(bodyErrors);
}

/** A number in JSON's syntax. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * True for text that all languages read as a number. Only JavaScript accepts `Infinity`, `0x10`, ` 5` and
 * `1e999`.
 */
const isNumeral = (value: unknown): boolean =>
  typeof value === "string" && NUMBER.test(value) && Number.isFinite(Number(value));

/** The error of an invalid request. The deepest error is the most specific: in an `anyOf`, the other errors only say that no branch matches. */
function refusal([first, ...others]: readonly ErrorObject[]): DomainError {
  if (first === undefined) return rejected("body", "geçersiz");
  const deepest = others.reduce((a, b) => (b.instancePath.length > a.instancePath.length ? b : a), first);
  return rejected(fieldOf(deepest) || "body", reasonOf(deepest));
}

function fieldOf({ instancePath, params }: ErrorObject): string {
  const path = instancePath.slice(1).split("/").filter(Boolean).map(decodeURIComponent);
  const missing: unknown = params.missingProperty ?? params.additionalProperty;
  return [...path, ...(typeof missing === "string" ? [missing] : [])].join(".");
}

export const httpsRule = "https:// ile başlayan bir adres olmalı";

/** Messages for the documents' patterns. */
const patternRules: Readonly<Record<string, string>> = {
  "^https://": httpsRule,
  "^[0-9]+$": "yalnızca rakamlardan oluşmalı",
};

function reasonOf({ keyword, params, schema, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case "required":
      return "zorunlu";
    case "additionalProperties":
      return `böyle bir alan yok; olanlar: ${Object.keys(parentSchema?.properties ?? {}).join(", ")}`;
    case "type":
      return `türü ${params.type} olmalı`;
    case "enum":
      return `şunlardan biri olmalı: ${params.allowedValues.join(", ")}`;
    case "const":
      return `${params.allowedValue} olmalı`;
    case "pattern":
      return patternRules[params.pattern] ?? `şu biçimde olmalı: ${params.pattern}`;
    case "minLength":
      return `en az ${params.limit} karakter olmalı`;
    case "maxLength":
      return `en çok ${params.limit} karakter olmalı`;
    case "minimum":
      return `en az ${params.limit} olmalı`;
    case "maximum":
      return `en çok ${params.limit} olmalı`;
    case "minItems":
      return `en az ${params.limit} öğe olmalı`;
    case "maxItems":
      return `en çok ${params.limit} öğe olmalı`;
    case "format":
      return params.format === "date-time"
        ? "saat dilimli ISO 8601 zamanı olmalı"
        : `biçimi ${params.format} olmalı`;
    case "x-max-decimals":
      return "ondalık basamak sayısı çok fazla";
    case "x-max-ahead":
      return "izin verilenden daha ileri bir zaman";
    default:
      return `kurala uymuyor: ${keyword} ${JSON.stringify(schema ?? "")}`.trim();
  }
}
