import type { Exchange } from "../../core/exchange.ts";
import { isObject, parseJson } from "../../core/json.ts";
import { objectsIn } from "./answers.ts";

/** How a first registration is refused that brings no code. */
const NO_CODE = ["ESLEME_KODU_GEREKLI", "ESLEME_KODU_GECERSIZ"];

/** Whether it registers a store that isn't linked yet: it is told so, or brings a code, which a repeat needs none of. */
export function isFirstRegistration({ operation, response, requestBody }: Exchange): boolean {
  if (operation !== "registerStore" || !response || [200, 409].includes(response.status)) return false;
  const error = isObject(response.json) ? response.json.error : undefined;
  const isWithoutCode = isObject(error) && NO_CODE.includes(String(error.code));
  const sent = parseJson(requestBody ?? "");
  return response.status === 201 || isWithoutCode || (isObject(sent) && sent.pairing_code !== undefined);
}

/** What a store was linked with before the sequence, as far as its answers show it. */
export function storeShown(
  exchanges: readonly Exchange[],
  id: string,
  point: { readonly lat: number; readonly lng: number },
): object {
  const all = exchanges
    .flatMap(({ response }) => objectsIn(response?.json))
    .filter(({ external_store_id, name }) => external_store_id === id && typeof name === "string");
  // An area has its store's name, and no more.
  const shown = all.find(({ address_text }) => typeof address_text === "string") ?? all[0];
  const text = (value: unknown, otherwise: string) =>
    typeof value === "string" && value !== "" && value.length <= 200 ? value : otherwise;
  return {
    name: text(shown?.name, "Köşe Lokantası"),
    phone: text(shown?.phone, "+902125550100"),
    address: { text: text(shown?.address_text, "Gülşen Sokak 1, Fatih, İstanbul"), ...point },
  };
}
