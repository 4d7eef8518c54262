import type { ErrorObject } from "ajv";
import { textOf } from "../json.ts";
import { pointerInWords } from "../text/member-paths.ts";
import { TYPE_WORDS } from "../text/type-words.ts";

/** Keywords whose errors only summarise other reported errors. */
const SUMMARISING: readonly string[] = ["if", "not", "anyOf", "oneOf", "allOf"];

const MAX_DESCRIBED = 3;

const withoutIndices = (pointer: string): string => pointer.replaceAll(/\/\d+(?=\/|$)/g, "/…");

const AN_INSTANT = "a time in UTC that ends in Z";

/**
 * Describes the errors of a body that violates a schema.
 * @param instantPattern the document's pattern of a time
 */
export class SchemaMistakes {
  private readonly instantPattern: string;

  constructor(instantPattern: string) {
    this.instantPattern = instantPattern;
  }

  /** The first errors, each once for all entries of a list: `version is missing in items[0] and 48 more`. */
  describe(errors: readonly ErrorObject[]): string {
    const mistakes = innermost(errors);
    const groups = Map.groupBy(
      mistakes,
      (error) => `${withoutIndices(error.instancePath)} ${this.#describeError(error)}`,
    );
    return [...groups.values()]
      .slice(0, MAX_DESCRIBED)
      .map(([first, ...others]) => (first ? this.#describeAtPath(first, others.length) : ""))
      .join("; ");
  }

  /** The kind that all errors share, regardless of their place. Undefined if there are several kinds. */
  kind(errors: readonly ErrorObject[]): string | undefined {
    const kinds = new Set(innermost(errors).map((error) => this.#kindOf(error)));
    const [kind] = kinds;
    return kinds.size === 1 ? kind : undefined;
  }

  #describeAtPath(error: ErrorObject, others: number): string {
    const place = pointerInWords(error.instancePath);
    const more = others === 0 ? "" : ` and ${others} more`;
    if (error.keyword === "required")
      return `${textOf(error.params.missingProperty)} is missing${place === "" ? "" : ` in ${place}`}${more}`;
    return `${place === "" ? "the body" : place} ${this.#describeError(error)}${others === 0 ? "" : ` (and ${others} more)`}`;
  }

  #kindOf(error: ErrorObject): string {
    if (error.keyword === "required") return `${textOf(error.params.missingProperty)} is missing`;
    if (this.#isOfInstant(error)) return "times aren't in UTC, ending in Z";
    const member = error.instancePath.split("/").findLast((segment) => !/^\d*$/.test(segment));
    return `${member ?? "the body"} ${this.#describeError(error)}`;
  }

  #isOfInstant({ keyword, params }: ErrorObject): boolean {
    return keyword === "pattern" && params.pattern === this.instantPattern;
  }

  #describeError(error: ErrorObject): string {
    const { keyword, params } = error;
    if (this.#isOfInstant(error)) return `isn't ${AN_INSTANT}`;
    if (keyword === "pattern") return `doesn't match ${textOf(params.pattern)}`;
    if (keyword !== "type") return error.message ?? "is wrong";
    const types = [params.type].flat().map((type) => TYPE_WORDS[textOf(type)] ?? textOf(type));
    return `isn't ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(types)}`;
  }
}

function innermost(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const inner = errors.filter(({ keyword }) => !SUMMARISING.includes(keyword));
  return inner.length > 0 ? inner : errors;
}
