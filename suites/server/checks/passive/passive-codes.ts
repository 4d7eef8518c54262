import { clause } from "../../../../openapi/generated/clauses.ts";
import { codeOf } from "../../../core/responses.ts";
import { type PassiveCheck, passiveCheck } from "../../check.ts";
import { bytesFaultOf } from "../../evidence/schema-failure.ts";
import { TOKEN_REFUSALS } from "../../support/protocol/error-codes.ts";
import { faultInResponse, onResponse } from "./responses.ts";

const statusOfCode = (
  code: string,
  status: number,
  metadata: Pick<PassiveCheck, "id" | "clauses">,
): PassiveCheck =>
  passiveCheck({
    ...metadata,
    title: `every operation returns ${code} with ${status}`,
    applies: onResponse((response) => codeOf(response) === code),
    fault: faultInResponse((response, { operation }) =>
      response.status === status ? undefined : `${operation} answered ${code} with ${response.status}`,
    ),
  });

const tokenRefusals = passiveCheck({
  id: "passive.codes-of-401",
  title: "KIMLIK_YOK, SURESI_DOLDU, GECERSIZ and OTURUM_GECERSIZ are returned with 401",
  clauses: [clause["ERR-14"]],
  applies: onResponse((response) => TOKEN_REFUSALS.some((code) => code === codeOf(response))),
  fault: faultInResponse((response, { operation }) =>
    response.status === 401 ? undefined : `${operation} answered ${codeOf(response)} with ${response.status}`,
  ),
});

const invalidClient = passiveCheck({
  id: "passive.invalid-client",
  title: "only the token endpoint returns invalid_client, with 401",
  clauses: [clause["ERR-13"]],
  applies: onResponse((response) => codeOf(response) === "invalid_client"),
  fault: faultInResponse(({ status }, { operation }) =>
    status === 401 && operation === "obtainToken"
      ? undefined
      : `${operation} returned invalid_client with ${status}`,
  ),
});

const rateLimit = passiveCheck({
  id: "passive.code-of-429",
  title: "HIZ_SINIRI is returned with 429, and every 429 with HIZ_SINIRI",
  clauses: [clause["ERR-27"]],
  applies: onResponse((response) => response.status === 429 || codeOf(response) === "HIZ_SINIRI"),
  fault: faultInResponse((response, { operation }) =>
    response.status === 429 && codeOf(response) === "HIZ_SINIRI"
      ? undefined
      : `${operation} returned ${response.status} with code ${codeOf(response) ?? "(none)"}`,
  ),
  commonCause: bytesFaultOf,
});

export const passiveCodesChecks: readonly PassiveCheck[] = [
  statusOfCode("DOGRULAMA", 400, {
    id: "passive.code-dogrulama",
    clauses: [clause["ERR-8"]],
  }),
  statusOfCode("ESLEME_KODU_GEREKLI", 400, {
    id: "passive.code-esleme-kodu-gerekli",
    clauses: [clause["ERR-10"]],
  }),
  statusOfCode("ESLEME_KODU_GECERSIZ", 400, {
    id: "passive.code-esleme-kodu-gecersiz",
    clauses: [clause["ERR-11"]],
  }),
  statusOfCode("IMLEC_GECERSIZ", 400, {
    id: "passive.code-imlec-gecersiz",
    clauses: [clause["ERR-12"]],
  }),
  invalidClient,
  tokenRefusals,
  statusOfCode("MAGAZA_PASIF", 409, {
    id: "passive.code-magaza-pasif",
    clauses: [clause["ERR-19"]],
  }),
  statusOfCode("SON_DURUM", 409, {
    id: "passive.code-son-durum",
    clauses: [clause["ERR-21"]],
  }),
  statusOfCode("BASKA_POS", 409, {
    id: "passive.code-baska-pos",
    clauses: [clause["ERR-23"]],
  }),
  rateLimit,
];
