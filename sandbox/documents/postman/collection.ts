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

const HOW_TO_USE = `Requests for every operation, generated from the OpenAPI document.

Set \`base_url\`, \`client_id\`, \`client_secret\` and \`pairing_code\` in the collection's variables or in an environment.
Then send the requests from top to bottom, or run the collection. Responses set variables that later requests need, such as
the token and the delivery's id. A request is skipped if one of its variables is missing.`;

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
