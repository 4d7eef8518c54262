import { type Json, now } from "./formats.ts";

/** A handler's response: `html` for a page, `body` for JSON, neither for an empty body. */
export type Answer = { status: number; body?: Json; html?: string; headers?: Record<string, string> };

const messages: Record<string, string> = {
  DOGRULAMA: "Gönderdiğiniz bilgiler kabul edilemedi.",
  BULUNAMADI: "Böyle bir kayıt yok.",
  MAGAZA_YOK: "Böyle bir mağaza tanımıyoruz.",
  HIZ_SINIRI: "Biraz yavaşlayın.",
  SUNUCU_HATASI: "Bir şeyler ters gitti.",
};

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Json;

  constructor(status: number, code: string, details?: Json) {
    super(messages[code] ?? `İstek reddedildi (${code.toLowerCase()}).`);
    this.status = status;
    this.code = code;
    this.details = details;
  }

  answer(): Answer {
    const error = { hint: "docs", details: this.details, message: this.message, code: this.code };
    return { status: this.status, body: { error, ok: false, trace: `t-${now().toString(36)}` } };
  }
}

/** The error for an invalid field. Details are a list with JSON pointers. */
export const invalidField = (pointer: string, why: string) =>
  new Refusal(400, "DOGRULAMA", [{ neden: why, alan: pointer }]);

export const notFound = () => new Refusal(404, "BULUNAMADI");

const page = (title: string) =>
  `<!doctype html><html lang="tr"><title>${title}</title><h1>${title}</h1></html>`;

export const noSuchPage = (): Answer => ({ status: 404, html: page("Sayfa bulunamadı") });
export const wrongMethod = (allow: string): Answer => ({
  status: 405,
  html: page("Yöntem desteklenmiyor"),
  headers: { Allow: allow },
});
export const trackingPage = (): Answer => ({ status: 200, html: page("Siparişiniz yolda") });
