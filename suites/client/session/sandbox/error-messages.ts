import * as fc from "fast-check";

/** Messages in errors, on which clients must not depend. */
export interface ErrorMessages {
  readonly fault: string;
  readonly refusal: string;
  readonly busy: string;
  readonly token: string;
  readonly cursor: string;
  /** A message that describes a transient failure as final. */
  readonly final: string;
  /** A message that describes a final refusal as transient. */
  readonly passing: string;
}

const CHOICES: { readonly [K in keyof ErrorMessages]: readonly string[] } = {
  fault: ["Beklenmeyen bir hata oluştu.", "Sunucu hatası.", "İşlem şu anda tamamlanamadı."],
  refusal: ["Bu sipariş kabul edilemedi.", "İstek geçerli değil.", "Sipariş alınamıyor."],
  busy: ["Çok fazla istek gönderildi.", "İstek sınırı aşıldı.", "Biraz yavaşlayın."],
  token: ["Oturumun süresi doldu.", "Kimlik doğrulanamadı.", "Yeniden giriş yapın."],
  cursor: ["İmleç çözülemedi.", "Liste imleci geçersiz.", "Sayfa bulunamadı."],
  final: ["Adres hizmet bölgesinin dışında. Tekrar denemeyin.", "İstek geçersiz, yeniden göndermeyin."],
  passing: ["Sunucu hatası, lütfen tekrar deneyin.", "Geçici bir sorun var, yeniden deneyin."],
};

/** The seeded messages of a run. */
export function errorMessagesFor(seed: number): ErrorMessages {
  const drawn = fc.record({
    fault: fc.constantFrom(...CHOICES.fault),
    refusal: fc.constantFrom(...CHOICES.refusal),
    busy: fc.constantFrom(...CHOICES.busy),
    token: fc.constantFrom(...CHOICES.token),
    cursor: fc.constantFrom(...CHOICES.cursor),
    final: fc.constantFrom(...CHOICES.final),
    passing: fc.constantFrom(...CHOICES.passing),
  });
  const [texts] = fc.sample(drawn, { seed, numRuns: 1 });
  if (!texts) throw new Error("no texts were drawn");
  return texts;
}
