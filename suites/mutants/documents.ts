import { isObject, type JsonObject, type OpenApiDocument } from "../../reference-server/documents.ts";
import type { Mutant } from "./mutant.ts";

/** The server that is made from another document. */
export const withDocument =
  (change: (document: OpenApiDocument) => void): Mutant["mutate"] =>
  (parts) => {
    const document = structuredClone(parts.document);
    change(document);
    return { ...parts, document };
  };

/** The server whose document says something else of one operation. */
export const operationAt = (
  path: string,
  method: "get" | "post" | "patch",
  change: (operation: JsonObject) => void,
) =>
  withDocument(({ paths }) => {
    const operation = paths[path]?.[method];
    if (!isObject(operation)) throw new Error(`the document has no ${method} ${path}`);
    change(operation);
  });

/** The server that has a path somewhere else. */
export const moved = (from: string, to: string) =>
  withDocument(({ paths }) => {
    const item = paths[from];
    if (item === undefined) throw new Error(`the document has no ${from}`);
    delete paths[from];
    paths[to] = item;
  });

/** Something with other members than its type says. */
export const lying = <T extends object>(whole: T, members: object): T => ({ ...whole, ...members });

/** A reply whose body has other members. */
export const answering = <R extends { readonly body: object }>(reply: R, members: object): R => ({
  ...reply,
  body: { ...reply.body, ...members },
});
