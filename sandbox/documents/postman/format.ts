/** The part of Postman's Collection Format 2.1.0 that the collection uses. Bruno, Insomnia and Hoppscotch read it too. */
export const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

export interface Pair {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
  /** True for a parameter that is shown, but not sent until the user enables it. */
  readonly disabled?: boolean;
}

interface Script {
  readonly listen: "prerequest" | "test";
  readonly script: { readonly type: "text/javascript"; readonly exec: readonly string[] };
}

type Auth =
  | { readonly type: "noauth" }
  | { readonly type: "bearer"; readonly bearer: readonly (Pair & { readonly type: "string" })[] };

export interface Request {
  readonly method: string;
  readonly description: string;
  readonly auth?: Auth;
  readonly header: readonly Pair[];
  readonly url: {
    readonly raw: string;
    readonly host: readonly string[];
    /** A segment such as `:id` gets its value from `variable`. */
    readonly path: readonly string[];
    readonly query: readonly Pair[];
    readonly variable: readonly Pair[];
  };
  readonly body?: {
    readonly mode: "raw";
    readonly raw: string;
    readonly options: { readonly raw: { readonly language: "json" } };
  };
}

export interface Item {
  readonly name: string;
  readonly event: readonly Script[];
  readonly request: Request;
  readonly response: readonly [];
}

export interface Folder {
  readonly name: string;
  readonly description: string;
  readonly item: readonly Item[];
}

export interface Collection {
  readonly info: { readonly name: string; readonly description: string; readonly schema: typeof SCHEMA };
  readonly auth: Auth;
  readonly event: readonly Script[];
  readonly variable: readonly Pair[];
  readonly item: readonly Folder[];
}

export const script = (listen: Script["listen"], ...exec: readonly string[]): Script => ({
  listen,
  script: { type: "text/javascript", exec },
});
