/** Requests against the document. Validators are compiled when first needed and kept for as long as their document. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import type { OpenApiDocument } from "../documents.ts";
import { isInstant } from "../domain/instants.ts";
import { DomainError, rejected } from "../errors.ts";
import type { Input, RawInput } from "./calls.ts";
import { keywords, type ValidationContext } from "./keywords.ts";
import type { Place, Route } from "./routes.ts";
import { isStorable } from "./texts.ts";

const root = "document";

class Validators {
  readonly #bodies: Ajv2020;
  /** What comes as text in path, query and headers is turned into what the schema says. */
  readonly #texts: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.#bodies = ajvFor(document, false);
    this.#texts = ajvFor(document, true);
  }

  body(pointer: string): ValidateFunction {
    return this.#kept(`body ${pointer}`, () => this.#bodies.compile(refTo(pointer)));
  }

  parameters(route: Route, place: Place): ValidateFunction {
    return this.#kept(`${place} ${route.operationId}`, () => {
      const parameters = route.parameters.filter((parameter) => parameter.place === place);
      return this.#texts.compile({
        type: "object",
        properties: Object.fromEntries(parameters.map(({ name, pointer }) => [name, refTo(pointer)])),
        required: parameters.filter(({ required }) => required).map(({ name }) => name),
      });
    });
  }

  #kept(key: string, compile: () => ValidateFunction): ValidateFunction {
    let validate = this.#compiled.get(key);
    if (validate === undefined) {
      validate = compile();
      this.#compiled.set(key, validate);
    }
    return validate;
  }
}

function ajvFor(document: OpenApiDocument, coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    // A number too large to be one is read as infinite, which JSON can't write.
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
 * Checks a request against its operation and fills in the document's defaults.
 *
 * Throws DOGRULAMA with the field and the reason; a path that names nothing possible is BULUNAMADI, like one that
 * names nothing that exists.
 */
export function checkInput<Operation>(
  document: OpenApiDocument,
  route: Route,
  input: RawInput,
  context: ValidationContext,
): asserts input is RawInput & Input<Operation> {
  const validators = validatorsOf(document);
  const valid = (validate: ValidateFunction, value: unknown) => validate.call(context, value);

  if (!valid(validators.parameters(route, "path"), input.path)) throw new DomainError("BULUNAMADI");
  for (const { name, place } of route.parameters) {
    if (place === "path" && !isStorable(Reflect.get(Object(input.path), name))) {
      throw new DomainError("BULUNAMADI");
    }
    if (place === "query" && !isStorable(Reflect.get(Object(input.query), name))) {
      throw rejected(name, "metin geçersiz karakter içeriyor");
    }
  }
  for (const [place, values] of [["query", input.query] as const, ["header", input.headers] as const]) {
    const validate = validators.parameters(route, place);
    if (!valid(validate, values)) throw refusal(validate.errors);
  }
  if (input.body === undefined) {
    if (route.body?.required) throw rejected("body", "gövde zorunlu");
    return;
  }
  if (route.body?.jsonPointer === undefined) return;
  const validate = validators.body(route.body.jsonPointer);
  if (!valid(validate, input.body)) throw refusal(validate.errors);
}

/** The error that lies deepest says most: in an `anyOf` the others only say that no branch fits. */
function refusal(errors: ErrorObject[] | null | undefined): DomainError {
  const [first, ...others] = errors ?? [];
  if (first === undefined) return rejected("body", "geçersiz");
  const deepest = others.reduce((a, b) => (b.instancePath.length > a.instancePath.length ? b : a), first);
  return rejected(fieldOf(deepest) || "body", reasonOf(deepest));
}

function fieldOf({ instancePath, params }: ErrorObject): string {
  const path = instancePath.slice(1).split("/").filter(Boolean).map(decodeURIComponent);
  const missing: unknown = params.missingProperty;
  return [...path, ...(typeof missing === "string" ? [missing] : [])].join(".");
}

function reasonOf({ keyword, params, schema }: ErrorObject): string {
  switch (keyword) {
    case "required":
      return "zorunlu";
    case "type":
      return `türü ${params.type} olmalı`;
    case "minLength":
      return `en az ${params.limit} karakter olmalı`;
    case "maxLength":
      return `en çok ${params.limit} karakter olmalı`;
    case "minimum":
      return `en az ${params.limit} olmalı`;
    case "maximum":
      return `en çok ${params.limit} olmalı`;
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
