import { DomainError } from "../../../../reference-server/errors.ts";
import type { Parts } from "../../../../reference-server/parts.ts";
import type { Mutant, Mutate } from "../mutant.ts";
import { alterStatus } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { replaceOperation } from "../operators/operations.ts";

type Check = Parts["checkContentType"];
type Route = Parameters<Check>[0];

/** The server that also takes what is declared as this; undefined is declared as nothing. */
const taking =
  (accepted: (type: string | undefined) => boolean, where: (route: Route) => boolean = () => true): Mutate =>
  (parts) => ({
    ...parts,
    checkContentType: (route, request) => {
      if (where(route) && accepted(request.headers["content-type"])) return;
      parts.checkContentType(route, request);
    },
  });

const isForm = (type: string | undefined) => type === "application/x-www-form-urlencoded";

export const contentTypeMutants = {
  "plain-text-is-read-as-json": {
    fault: "a body that is declared as plain text is read as JSON",
    mutate: taking((type) => type?.startsWith("text/plain") ?? false),
  },
  "any-json-is-read-as-json": {
    fault: "whatever ends in json is read as JSON",
    mutate: taking((type) => type?.split(";")[0]?.endsWith("json") ?? false),
  },
  "forms-are-read-as-json": {
    fault: "a body that is declared as a form is read as JSON",
    mutate: taking(isForm),
  },
  "no-type-is-read-as-json": {
    fault: "a body that is declared as nothing is read as JSON",
    mutate: taking((type) => type === undefined),
  },
  "wrong-type-answers-400": {
    fault: "a wrong content type is answered 400",
    mutate: alterStatus("ICERIK_TURU", 400),
  },
  "wrong-type-is-refused-too-late": {
    fault: "the content type is looked at when the order is already written",
    mutate: compose(
      taking(
        () => true,
        ({ operationId }) => operationId === "createDelivery",
      ),
      replaceOperation("createDelivery", async (call, original) => {
        const reply = await original(call);
        if (call.mediaType !== "application/json") throw new DomainError("ICERIK_TURU");
        return reply;
      }),
    ),
  },
  "cancel-takes-any-type": {
    fault: "a cancellation is taken with any content type",
    mutate: taking(
      () => true,
      ({ operationId }) => operationId === "cancelDelivery",
    ),
  },
  "token-request-may-be-a-form": {
    fault: "the token endpoint doesn't mind a form's content type",
    mutate: taking(isForm, ({ operationId }) => operationId === "obtainToken"),
  },
  "charset-answers-415": {
    fault: "a charset parameter makes another content type of it",
    mutate: (parts) => ({
      ...parts,
      checkContentType: (route, request) => {
        if (request.headers["content-type"]?.includes("charset")) throw new DomainError("ICERIK_TURU");
        parts.checkContentType(route, request);
      },
    }),
  },
} satisfies Record<string, Mutant>;
