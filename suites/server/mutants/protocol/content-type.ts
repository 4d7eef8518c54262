import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { type Break, breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { wrongStatus } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { aroundOperation } from "../operators/operations.ts";

type Check = Dependencies["checkContentType"];
type Route = Parameters<Check>[0];

/** A server that also accepts some media types. The type is undefined without a Content-Type. */
const acceptType =
  (
    isAccepted: (type: string | undefined) => boolean,
    where: (route: Route) => boolean = () => true,
  ): Mutate =>
  (deps) => ({
    ...deps,
    checkContentType: (route, request) => {
      if (where(route) && isAccepted(request.headers["content-type"])) return;
      deps.checkContentType(route, request);
    },
  });

const WITH_A_BODY = elementsOf("operations-with-a-body");

type OperationWithBody = (typeof WITH_A_BODY)[number];

/** The token endpoint has its own clause, in addition to the clause on all operations. */
const breakingAt = (operation: OperationWithBody, clause: "GEN-2" | "GEN-3" | "GEN-4"): readonly Break[] =>
  breaking(operation, clause, ...(operation === "obtainToken" ? ["GEN-5" as const] : []));

/** The check of an operation's content types. */
const checkOf = (operation: OperationWithBody): string => {
  if (operation === "obtainToken") return "content-type.token-endpoint";
  return operation === "createDelivery" ? "content-type.creation" : "content-type.other-endpoints";
};

const atOperation =
  (operation: OperationWithBody) =>
  ({ operationId }: Route) =>
    operationId === operation;

export const contentTypeMutants: Mutants = {
  ...forEachElement(
    WITH_A_BODY,
    (operation) => `${operation}-accepts-plain-text`,
    (operation) => ({
      fault: `${operation} accepts JSON with the content type of plain text`,
      breaks: breakingAt(operation, "GEN-2"),
      caughtBy: [checkOf(operation)],
      mutate: acceptType((type) => type?.startsWith("text/plain") ?? false, atOperation(operation)),
    }),
  ),
  ...forEachElement(
    WITH_A_BODY,
    (operation) => `${operation}-accepts-a-form`,
    (operation) => ({
      fault: `${operation} accepts JSON with the content type of a form`,
      breaks: breakingAt(operation, "GEN-3"),
      caughtBy: [checkOf(operation)],
      mutate: acceptType((type) => type === "application/x-www-form-urlencoded", atOperation(operation)),
    }),
  ),
  ...forEachElement(
    WITH_A_BODY,
    (operation) => `${operation}-accepts-a-missing-content-type`,
    (operation) => ({
      fault: `${operation} accepts JSON without a content type`,
      breaks: breakingAt(operation, "GEN-4"),
      caughtBy: [checkOf(operation)],
      mutate: acceptType((type) => type === undefined, atOperation(operation)),
    }),
  ),
  "any-content-type-with-json-accepted": {
    fault: "any content type that ends in json is accepted",
    breaks: breaking(["a body declared as text/json", "a body declared as a JSON Patch"], "GEN-2"),
    caughtBy: ["content-type.creation"],
    mutate: acceptType((type) => type?.split(";")[0]?.endsWith("json") ?? false),
  },
  "any-beginning-with-application-json-accepted": {
    fault: "any content type that begins with application/json is accepted",
    breaks: breaking("a body declared as a JSON Patch", "GEN-2"),
    caughtBy: ["content-type.creation"],
    mutate: acceptType((type) => type?.startsWith("application/json") ?? false),
  },
  "wrong-content-type-answers-400": {
    fault: "a wrong content type returns 400",
    breaks: [{ clause: "GEN-2" }, { clause: "GEN-3" }, { clause: "GEN-4" }, { clause: "GEN-5" }],
    ...wrongStatus("ICERIK_TURU", 400),
  },
  ...forEachElement(
    elementsOf("operations-with-a-body-that-change"),
    (operation) => `${operation}-done-before-415`,
    (operation) => ({
      fault: `${operation} with a wrong content type returns 415, but is carried out`,
      breaks: breaking(operation, "GEN-6"),
      caughtBy: [checkOf(operation)],
      mutate: compose(
        acceptType(() => true, atOperation(operation)),
        aroundOperation(operation, async ({ mediaType }, original) => {
          const reply = await original();
          if (mediaType !== "application/json") throw new DomainError("ICERIK_TURU");
          return reply;
        }),
      ),
    }),
  ),
  "charset-answers-415": {
    fault: "application/json with a charset parameter is refused",
    breaks: [{ clause: "GEN-7" }],
    mutate: (deps) => ({
      ...deps,
      checkContentType: (route, request) => {
        if (request.headers["content-type"]?.includes("charset")) throw new DomainError("ICERIK_TURU");
        deps.checkContentType(route, request);
      },
    }),
  },
};
