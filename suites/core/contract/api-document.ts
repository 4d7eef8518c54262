import { readFileSync } from "node:fs";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isObject, member, textOf } from "../json.ts";
import { SchemaMistakes } from "./schema-mistakes.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** An operation of a document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** Path template with `{name}` placeholders, relative to the base URL. */
  readonly path: string;
  /** JSON pointer of the operation within the document. */
  readonly pointer: string;
  readonly anonymous: boolean;
  readonly successes: readonly number[];
  /** Parameters that the document gives for the whole path come first. */
  readonly parameters: readonly {
    readonly name: string;
    readonly place: "path" | "query" | "header";
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  /** The body's media types, and the schema of a JSON body. */
  readonly body: { readonly types: readonly string[]; readonly schema: Schema } | undefined;
}

const escaped = (segment: string) => segment.replaceAll("~", "~0").replaceAll("/", "~1");
const unescaped = (segment: string) => segment.replaceAll("~1", "/").replaceAll("~0", "~");

/** An OpenAPI document: its operations and schemas, and how values violate the schemas. */
export class ApiDocument {
  readonly content: Schema;
  readonly operations: readonly Operation[];
  readonly ajv: Ajv2020;
  readonly #mistakes: SchemaMistakes;
  readonly #places = new Map<string, { readonly pointer: string; readonly node: unknown }>();
  readonly #validators = new Map<string, ValidateFunction | undefined>();

  /**
   * @param name the file's name. The file is JSON, because parsing the YAML takes much longer.
   * @param strictNumbers true to refuse infinite numbers
   */
  constructor(name: "courier-dispatch" | "control", strictNumbers: boolean) {
    const file = new URL(`../../../openapi/generated/${name}.json`, import.meta.url);
    this.content = JSON.parse(readFileSync(file, "utf8"));
    this.ajv = new Ajv2020({ strict: false, strictNumbers, allErrors: true, validateSchema: false });
    addFormats.default(this.ajv);
    this.ajv.addSchema(this.content, "document");
    this.#mistakes = new SchemaMistakes(textOf(this.lookUp("/components/schemas/Instant")?.pattern));
    this.operations = Object.entries(Object(this.content.paths)).flatMap(([path, item]) =>
      Object.entries(Object(item)).flatMap(([method, operation]) =>
        isObject(operation) && typeof operation.operationId === "string"
          ? [this.#operation(path, method, operation)]
          : [],
      ),
    );
  }

  /** @throws if the document has no such operation */
  operation(id: string): Operation {
    const found = this.operations.find((one) => one.id === id);
    if (!found) throw new Error(`the document has no operation ${id}`);
    return found;
  }

  /** The pointer to the schema of an operation's JSON response. */
  responsePointer(id: string, status: number): string {
    return `${this.operation(id).pointer}/responses/${status}/content/application~1json/schema`;
  }

  /** The object at a JSON pointer. Follows `$ref`s on the way. */
  lookUp(pointer: string): Schema | undefined {
    const { node } = this.#placeOf(pointer);
    return isObject(node) ? node : undefined;
  }

  /**
   * A schema, parameter or other object with its `$ref` resolved. Keywords next to `$ref` take precedence over its
   * target's. Empty for undefined.
   * @throws if the target doesn't exist
   */
  resolve = (node: unknown): Schema => {
    if (!isObject(node)) return {};
    if (typeof node.$ref !== "string") return node;
    const { $ref, ...siblings } = node;
    const target = this.lookUp($ref.slice(1));
    if (target === undefined) throw new Error(`the document has no ${$ref}`);
    return { ...target, ...siblings };
  };

  /** The errors of a value, each with its JSON pointer. Empty if the document has no schema there. */
  errorsAt(pointer: string, value: unknown): readonly ErrorObject[] {
    const validate = this.#validatorAt(pointer);
    return validate === undefined || validate(value) ? [] : (validate.errors ?? []);
  }

  /** Describes how a value violates the schema at a JSON pointer. Undefined if it doesn't. */
  errorAt(pointer: string, value: unknown): string | undefined {
    const errors = this.errorsAt(pointer, value);
    return errors.length === 0 ? undefined : this.#mistakes.describe(errors);
  }

  /** Describes how a response's JSON body violates the document. Undefined if it doesn't, or without a schema. */
  responseError(id: string, status: number, body: unknown): string | undefined {
    return this.errorAt(this.responsePointer(id, status), body);
  }

  /** The kind that all errors of a value share, regardless of their place. Undefined for none or several. */
  kindOfErrorAt(pointer: string, value: unknown): string | undefined {
    return this.#mistakes.kind(this.errorsAt(pointer, value));
  }

  /** The object or value at a JSON pointer, and its pointer without `$ref`s on the way. */
  #placeOf(pointer: string): { readonly pointer: string; readonly node: unknown } {
    const known = this.#places.get(pointer);
    if (known !== undefined) return known;
    const cut = pointer.lastIndexOf("/");
    const parent = cut < 0 ? undefined : this.#placeOf(pointer.slice(0, cut));
    const inner: unknown =
      parent === undefined ? this.content : Object(parent.node)[unescaped(pointer.slice(cut + 1))];
    const place =
      isObject(inner) && typeof inner.$ref === "string"
        ? { pointer: this.#placeOf(inner.$ref.slice(1)).pointer, node: this.resolve(inner) }
        : { pointer: `${parent?.pointer ?? ""}${pointer.slice(Math.max(cut, 0))}`, node: inner };
    this.#places.set(pointer, place);
    return place;
  }

  /** The validator of the schema at a JSON pointer. Pointers to one schema share its validator. */
  #validatorAt(pointer: string): ValidateFunction | undefined {
    const place = this.#placeOf(pointer);
    if (!isObject(place.node)) return undefined;
    const known = this.#validators.get(place.pointer);
    if (known !== undefined) return known;
    // A JSON pointer in a URI fragment is percent-encoded.
    const fragment = place.pointer.split("/").map(encodeURIComponent).join("/");
    const validate = this.ajv.compile({ $ref: `document#${fragment}` });
    this.#validators.set(place.pointer, validate);
    return validate;
  }

  #operation(path: string, method: string, operation: Schema): Operation {
    const shared = `/paths/${escaped(path)}`;
    const pointer = `${shared}/${method}`;
    const parameters = [this.lookUp(shared)?.parameters ?? [], operation.parameters ?? []].flat();
    const media = this.lookUp(`${pointer}/requestBody/content`);
    return {
      id: textOf(operation.operationId),
      method: method.toUpperCase(),
      path,
      pointer,
      anonymous: Array.isArray(operation.security) && operation.security.length === 0,
      successes: Object.keys(Object(operation.responses))
        .map(Number)
        .filter((status) => status >= 200 && status < 300),
      parameters: parameters.map(this.resolve).map(({ name, in: place, required, schema }) => ({
        name: textOf(name),
        place: place === "path" || place === "header" ? place : "query",
        required: required === true,
        schema: this.resolve(schema),
      })),
      body: media && {
        types: Object.keys(media),
        schema: this.resolve(member(media, "application/json", "schema")),
      },
    };
  }
}
