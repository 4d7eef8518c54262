/** All errors of the API: a table of codes, and one exception (specification, Errors). */

interface ErrorEntry {
  status: number;
  /** Turkish text for display; not a stable identifier. */
  message: string;
}

export const errors = {
  DOGRULAMA: { status: 400, message: "Gönderilen veri geçersiz." },
  ESLEME_KODU_GEREKLI: { status: 400, message: "Yeni mağaza için eşleme kodu gerekli." },
  ESLEME_KODU_GECERSIZ: {
    status: 400,
    message: "Eşleme kodu yanlış, kullanılmış veya süresi dolmuş.",
  },
  IMLEC_GECERSIZ: { status: 400, message: "İmleç çözülemedi; imleçsiz yeniden deneyin." },
  invalid_client: { status: 401, message: "İstemci kimliği veya parolası yanlış." },
  KIMLIK_YOK: { status: 401, message: "Erişim belirteci gönderilmedi." },
  SURESI_DOLDU: { status: 401, message: "Erişim belirtecinin süresi doldu." },
  GECERSIZ: { status: 401, message: "Erişim belirteci geçersiz." },
  OTURUM_GECERSIZ: { status: 401, message: "Bu kimlik kapatılmış." },
  YETKI_YOK: { status: 403, message: "Bu uç nokta bu kimliğe açık değil." },
  BULUNAMADI: { status: 404, message: "Kayıt bulunamadı." },
  MAGAZA_YOK: { status: 404, message: "Mağaza bulunamadı." },
  IDEMPOTENCY_CAKISMA: { status: 409, message: "Aynı anahtar farklı bir gövdeyle kullanılmış." },
  EXTERNAL_REF_TEKRAR: { status: 409, message: "Mağazada bu sipariş numarası zaten var." },
  MAGAZA_PASIF: { status: 409, message: "Mağaza askıda veya kapalı." },
  KURYE_ALDI: { status: 409, message: "Paket kuryede; değiştirilemez ve iptal edilemez." },
  SON_DURUM: { status: 409, message: "Teslimat sonuçlanmış." },
  PLAN_DEGISEMEZ: { status: 409, message: "Teklif verildikten sonra planlanan zaman değişemez." },
  BASKA_POS: { status: 409, message: "Mağaza başka bir entegratöre bağlı." },
  ABONELIK_SINIRI: { status: 409, message: "En çok 5 etkin bildirim adresi olabilir." },
  KIMLIK_KAPALI: { status: 409, message: "Bu kimlik kapatılmış." },
  DURUM_UYGUN_DEGIL: { status: 409, message: "Teslimatın durumu bu adıma uygun değil." },
  FOTOGRAF_SINIRI: { status: 409, message: "Bir teslimatın en çok 3 fotoğrafı olabilir." },
  ISTEK_ZAMAN_ASIMI: { status: 408, message: "İstek zamanında tamamlanmadı." },
  TAKIP_KAPANDI: { status: 410, message: "Takip bağlantısının süresi doldu." },
  GOVDE_COK_BUYUK: { status: 413, message: "Gönderilen veri çok büyük." },
  ICERIK_TURU: { status: 415, message: "Bu içerik türü alınmıyor." },
  HIZMET_DISI: { status: 422, message: "Adres hizmet bölgesinin dışında." },
  HIZ_SINIRI: { status: 429, message: "İstek sınırı aşıldı; biraz bekleyin." },
  BASLIK_COK_BUYUK: { status: 431, message: "İstek başlıkları çok büyük." },
  SUNUCU_HATASI: { status: 500, message: "Beklenmeyen bir hata oluştu." },
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errors;
export type ErrorTable = Record<ErrorCode, ErrorEntry>;

/** An entry of DOGRULAMA's `details`: the field's path (`customer.note`), and the reason in Turkish. */
export interface Rejection {
  field: string;
  reason: string;
}

/** An error with its message. */
export interface Failure {
  code: string;
  message: string;
  details: object | undefined;
}

/** Thrown to refuse a request. The error handler turns it into status and body. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: object | undefined;

  constructor(code: ErrorCode, details?: object) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** The error for a request that violates its schema or a similar rule. */
export function rejected(field: string, reason: string): DomainError {
  const details: Rejection = { field, reason };
  return new DomainError("DOGRULAMA", details);
}

/** An error's message. An AggregateError has none, so the messages of its errors are joined. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
