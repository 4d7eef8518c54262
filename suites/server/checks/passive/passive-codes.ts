import { clause } from "../../../../openapi/generated/clauses.ts";
import { codeOf } from "../../../core/responses.ts";
import { bytesFaultOf } from "../../evidence/schema-failure.ts";
import { TOKEN_REFUSALS } from "../../support/protocol/error-codes.ts";
import { type PassiveCheck, passiveCheck } from "../define.ts";
import { faultInResponse, onResponse } from "./responses.ts";

const statusOfCode = (
  code: string,
  status: number,
  metadata: Pick<PassiveCheck, "id" | "clauses" | "mutants">,
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
  mutants: ["missing-token-answers-403", "unknown-token-answers-400"],
  applies: onResponse((response) => TOKEN_REFUSALS.some((code) => code === codeOf(response))),
  fault: faultInResponse((response, { operation }) =>
    response.status === 401 ? undefined : `${operation} answered ${codeOf(response)} with ${response.status}`,
  ),
});

const invalidClient = passiveCheck({
  id: "passive.invalid-client",
  title: "only the token endpoint returns invalid_client, with 401",
  clauses: [clause["ERR-13"]],
  mutants: ["invalid-client-answers-400", "unknown-token-is-invalid-client"],
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
  mutants: ["limit-with-another-code", "limit-answers-503"],
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
    mutants: ["validation-answers-422"],
  }),
  statusOfCode("ESLEME_KODU_GEREKLI", 400, {
    id: "passive.code-esleme-kodu-gerekli",
    clauses: [clause["ERR-10"]],
    mutants: ["missing-code-answers-409"],
  }),
  statusOfCode("ESLEME_KODU_GECERSIZ", 400, {
    id: "passive.code-esleme-kodu-gecersiz",
    clauses: [clause["ERR-11"]],
    mutants: ["wrong-code-answers-404"],
  }),
  statusOfCode("IMLEC_GECERSIZ", 400, {
    id: "passive.code-imlec-gecersiz",
    clauses: [clause["ERR-12"]],
    mutants: ["bad-cursor-answers-410"],
  }),
  invalidClient,
  tokenRefusals,
  statusOfCode("MAGAZA_PASIF", 409, {
    id: "passive.code-magaza-pasif",
    clauses: [clause["ERR-19"]],
    mutants: ["suspended-store-answers-403"],
  }),
  statusOfCode("SON_DURUM", 409, {
    id: "passive.code-son-durum",
    clauses: [clause["ERR-21"]],
    mutants: ["final-delivery-answers-400"],
  }),
  statusOfCode("BASKA_POS", 409, {
    id: "passive.code-baska-pos",
    clauses: [clause["ERR-23"]],
    mutants: ["bound-elsewhere-answers-403"],
  }),
  rateLimit,
];
