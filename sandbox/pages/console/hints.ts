/** Explanations of the service's error codes for developers of clients (specification, Errors). */

const hints: Record<string, string> = {
  DOGRULAMA: "The request doesn't fit the schema: details name the field and the reason.",
  ESLEME_KODU_GEREKLI: "A restaurant that isn't linked yet needs a pairing_code.",
  ESLEME_KODU_GECERSIZ: "The pairing code is wrong, used or expired: issue another one under Integrators.",
  IMLEC_GECERSIZ: "The cursor can't be read: ask again without it.",
  invalid_client: "client_id or client_secret is wrong.",
  KIMLIK_YOK: "There is no Authorization: Bearer header.",
  SURESI_DOLDU: "The token has run out (30 minutes): get a new one and repeat.",
  GECERSIZ: "This is no token that was issued here: get a new one and repeat.",
  OTURUM_GECERSIZ: "The credential was closed.",
  YETKI_YOK: "This endpoint isn't for this credential.",
  BULUNAMADI: "There is no such record, or it is another integrator's.",
  MAGAZA_YOK: "No restaurant is linked under this external_store_id.",
  IDEMPOTENCY_CAKISMA: "This Idempotency-Key was used for another body.",
  EXTERNAL_REF_TEKRAR: "The restaurant has this external_ref already: details.delivery_id is that delivery.",
  MAGAZA_PASIF: "The restaurant is suspended or closed.",
  KURYE_ALDI: "The package is with the courier: no change and no cancelling any more.",
  SON_DURUM: "The delivery is final already.",
  PLAN_DEGISEMEZ: "scheduled_for can't change after a quote.",
  BASKA_POS: "The restaurant is linked by another integrator.",
  ABONELIK_SINIRI: "There are five active webhook endpoints already.",
  TAKIP_KAPANDI: "The tracking link's time is over.",
  HIZMET_DISI: "The drop-off lies outside the service area: fix the address, don't retry.",
  ICERIK_TURU: "The Content-Type has to be application/json.",
  HIZ_SINIRI: "Too many requests: wait for as many seconds as retry-after says.",
  SUNUCU_HATASI: "The server failed: retry with backoff, with the same Idempotency-Key.",
};

export const hintOf = (code: string | null) => (code === null ? undefined : hints[code]);
