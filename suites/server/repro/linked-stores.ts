import type { Exchange } from "../../core/exchange.ts";
import { segmentText } from "../../core/http/path-segment.ts";
import { isObject, parseJson, textMember } from "../../core/json.ts";
import { isSuccess } from "../../core/responses.ts";
import type { StoreLinked } from "../session/created-resources.ts";
import { objectsIn } from "./answers.ts";

/** Whether it has linked a store: it is told so, or was taken with a code, which a repeat needs none of. */
export function wasFirstRegistration({ operation, response, requestBody }: Exchange): boolean {
  if (operation !== "registerStore") return false;
  const sent = parseJson(requestBody ?? "");
  const hasCode = isObject(sent) && sent.pairing_code !== undefined;
  return response?.status === 201 || (response?.status === 200 && hasCode);
}

const STORE_IN_PATH = /\/v1\/stores\/([^/?]+)$/;

/** Whether one of a store's operations was done for none of these stores. */
export function isServedWithout(
  { operation, url, response, requestBody }: Exchange,
  stores: ReadonlyMap<string, unknown>,
): boolean {
  if (!["getStore", "createDelivery", "createQuote"].includes(operation)) return false;
  if (!response || !isSuccess(response)) return false;
  const sent = parseJson(requestBody ?? "");
  const inPath = STORE_IN_PATH.exec(url)?.[1];
  const named =
    inPath === undefined
      ? textMember(isObject(sent) ? sent.store : undefined, "external_store_id")
      : segmentText(inPath);
  return named === undefined || !stores.has(named);
}

/** What a store was linked with before the sequence, as far as its answers show it, or else as it was linked in the run. */
export function storeShown(
  exchanges: readonly Exchange[],
  id: string,
  point: { readonly lat: number; readonly lng: number },
  linked?: StoreLinked,
): object {
  const all = exchanges
    .flatMap(({ response }) => objectsIn(response?.json))
    .filter(({ external_store_id, name }) => external_store_id === id && typeof name === "string");
  // An area has its store's name, and no more.
  const shown = all.find(({ address_text }) => typeof address_text === "string") ?? linked ?? all[0];
  const text = (value: unknown, otherwise: string) =>
    typeof value === "string" && value !== "" && value.length <= 200 ? value : otherwise;
  return {
    name: text(shown?.name, "Köşe Lokantası"),
    phone: text(shown?.phone, "+902125550100"),
    address: { text: text(shown?.address_text, "Gülşen Sokak 1, Fatih, İstanbul"), ...point },
  };
}
