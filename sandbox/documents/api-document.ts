/** The parts of an OpenAPI document that the reference page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly "x-max-decimals"?: number;
  readonly "x-max-ahead"?: string;
  readonly "x-open-point"?: string | readonly string[] | undefined;
}

interface Example {
  readonly $ref?: string;
  readonly summary?: string;
  readonly value?: unknown;
}

export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Described {
  readonly $ref?: string;
  readonly description?: string;
  readonly "x-open-point"?: string | readonly string[];
}
export interface Parameter extends Described {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly example?: unknown;
}
export interface Body extends Described {
  readonly content?: Readonly<Record<string, Media>>;
}
export interface Response extends Body {
  readonly "x-error-codes"?: readonly string[];
}
interface Operation extends Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Response>>;
  readonly security?: readonly unknown[];
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
type PathItem = { readonly parameters?: readonly Parameter[] } & {
  readonly [method in (typeof METHODS)[number]]?: Operation;
};

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly (Described & { readonly name: string })[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly requestBodies: Readonly<Record<string, Body>>;
    readonly examples: Readonly<Record<string, Example>>;
  };
}

/** The last part of a reference. */
export const refName = ({ $ref }: { readonly $ref?: string }): string | undefined => $ref?.split("/").at(-1);

/** The target of a reference, overridden by the members next to the reference. */
export function resolved<T extends { readonly $ref?: string }>(
  known: Readonly<Record<string, T>>,
  value: T,
): T {
  const name = refName(value);
  const found = name === undefined ? undefined : known[name];
  if (!found) return value;
  const { $ref: _, ...beside } = value;
  return { ...resolved(known, found), ...beside };
}

/** An operation with its method and path, or with its event type. */
export interface DocumentedOperation {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

/** All operations by path, then the events. */
export function operationsOf({ paths, webhooks, components }: ApiDocument): readonly DocumentedOperation[] {
  return [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
        resolved(components.parameters, parameter),
      );
      return [{ operation, method: method.toUpperCase(), path, parameters }];
    }),
  );
}
