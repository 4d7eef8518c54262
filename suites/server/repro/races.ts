import type { Exchange } from "../../core/exchange.ts";
import { isObject, parseJson } from "../../core/json.ts";
import { isFoundIn, type ReproFinding } from "./finding.ts";

/** What of a body only one request can have. */
const CONTENDED = ["external_ref", "pairing_code"];
/** Addresses of lists, where each request makes a resource of its own. */
const MAKES_ANOTHER = /\/v1\/(deliveries|stores|webhooks|quotes)$|\/oauth\/token$/;

/** What a request is about that another one may be about too. */
function objectsOf({ url, requestHeaders, requestBody }: Exchange): readonly string[] {
  const body = parseJson(requestBody ?? "");
  const key = requestHeaders["idempotency-key"];
  return [
    ...(MAKES_ANOTHER.test(url) ? [] : [url]),
    ...(key === undefined ? [] : [key]),
    ...CONTENDED.flatMap((name) => (isObject(body) && typeof body[name] === "string" ? [body[name]] : [])),
  ];
}

const changes = ({ method }: Exchange): boolean => method !== "GET";

/**
 * Whether it is chance how requests that were sent at once are answered: several are about the same thing, or the failure is
 * about several of them and no answer alone shows it.
 * @param groups requests that were sent at once, in their order; the last has the one that is to blame
 */
export function isRace(finding: ReproFinding, groups: readonly (readonly Exchange[])[]): boolean {
  const isOfRivals = groups.some((group) => {
    const objects = group.filter(changes).flatMap((exchange) => [...new Set(objectsOf(exchange))]);
    return new Set(objects).size < objects.length;
  });
  const last = groups.at(-1) ?? [];
  const isNamed = last.some(({ response }) => String(response?.status) === finding.actual);
  return isOfRivals || (last.filter(changes).length > 1 && !isNamed && !isFoundIn(finding, last));
}
