/** Explanations of the service's error codes for developers of clients (specification, Errors). */

const hints: Record<string, string> = {
  DOGRULAMA: "The request is invalid: details name the field and the reason.",
  ESLEME_KODU_GEREKLI: "A restaurant that isn't linked yet needs a pairing_code.",
  ESLEME_KODU_GECERSIZ: "The pairing code is wrong, used or expired: issue another one under Integrators.",
  IMLEC_GECERSIZ: "The cursor is invalid: repeat the request without it.",
  invalid_client: "client_id or client_secret is wrong.",
  KIMLIK_YOK: "There is no Authorization: Bearer header.",
  SURESI_DOLDU: "The token has expired (after 30 minutes): get a new one and repeat the request.",
  GECERSIZ: "The token wasn't issued by this server: get a new one and repeat the request.",
  OTURUM_GECERSIZ: "The credential was closed.",
  YETKI_YOK: "This credential may not use this endpoint.",
  BULUNAMADI: "There is no such record, or it is another integrator's.",
  MAGAZA_YOK: "No restaurant is linked under this external_store_id.",
  IDEMPOTENCY_CAKISMA: "This Idempotency-Key was used with another body.",
  EXTERNAL_REF_TEKRAR: "The restaurant already has a delivery with this external_ref: details.delivery_id.",
  MAGAZA_PASIF: "The restaurant is suspended or closed.",
  KURYE_ALDI: "The courier has the package, so the delivery can't be changed or cancelled.",
  SON_DURUM: "The delivery has ended.",
  PLAN_DEGISEMEZ: "scheduled_for can't change after a quote.",
  BASKA_POS: "The restaurant is linked by another integrator.",
  ABONELIK_SINIRI: "There are five active webhook endpoints already.",
  TAKIP_KAPANDI: "The tracking link has expired.",
  HIZMET_DISI: "The drop-off is outside the service area: correct the address, don't retry.",
  ICERIK_TURU: "The Content-Type has to be application/json.",
  HIZ_SINIRI: "Too many requests: wait for the seconds in retry-after.",
  SUNUCU_HATASI: "The server failed: retry with backoff, with the same Idempotency-Key.",
};

export const hintOf = (code: string | null) => (code === null ? undefined : hints[code]);
