/** A Postman collection of the API, generated from the OpenAPI document. */
import { type ApiDocument, type DocumentedOperation, operationsOf } from "../api-document.ts";
import { type Collection, type Folder, SCHEMA, script } from "./format.ts";
import { itemsOf } from "./item.ts";
import { VARIABLES } from "./variables.ts";

const SET_TIMES: readonly string[] = [
  "const inMinutes = (minutes) => new Date(Date.now() + minutes * 60000).toISOString();",
  'pm.collectionVariables.set("in_half_an_hour", inMinutes(30));',
  'pm.collectionVariables.set("tomorrow", inMinutes(24 * 60));',
];

const HOW_TO_USE = `Requests of every operation, made from the OpenAPI document.

Give \`base_url\`, \`client_id\`, \`client_secret\` and \`pairing_code\` among the collection's variables, or in an environment.
Then send the requests from top to bottom, or run them all: the token, the delivery and the subscription that they make are
kept in variables for those that follow. A request that lacks one is skipped.`;

/** Deletions come last in their folder, because other requests need the deleted objects. */
const inOrder = (places: readonly DocumentedOperation[]): readonly DocumentedOperation[] =>
  places.toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"));

export function collectionOf(document: ApiDocument): Collection {
  const requests = operationsOf(document).filter(({ path }) => path.startsWith("/"));
  const folders = document.tags.map(({ name, description = "" }): Folder => {
    const places = inOrder(requests.filter(({ operation }) => operation.tags[0] === name));
    return {
      name,
      description: description.trim(),
      item: places.flatMap((place) => itemsOf(document, place)),
    };
  });
  return {
    info: { name: document.info.title, description: HOW_TO_USE, schema: SCHEMA },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{access_token}}", type: "string" }] },
    event: [script("prerequest", ...SET_TIMES)],
    variable: VARIABLES,
    item: folders.filter(({ item }) => item.length > 0),
  };
}
