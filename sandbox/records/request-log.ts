/** The latest requests and responses in memory for display, up to a limit. */

/** The kept part of a body. */
export interface KeptBody {
  /** Redacted; empty for a binary body. */
  readonly text: string;
  readonly bytes: number;
  /** True if the text is complete. */
  readonly isWhole: boolean;
}

export interface AnsweredRequest {
  /** Real time in ms. */
  readonly at: number;
  readonly integratorId: string | null;
  readonly method: string;
  /** With its query, redacted. */
  readonly path: string;
  readonly status: number;
  /** The error's code; null for a success. */
  readonly code: string | null;
  readonly tookMs: number;
  readonly deliveryId: string | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Null without a body, or if the request was refused before its body was read. */
  readonly requestBody: KeptBody | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: KeptBody | null;
}

export interface LoggedRequest extends AnsweredRequest {
  /** Numbered from 1 in the order of responses. */
  readonly id: number;
}

/** The filters. All of them have to match. */
interface RequestQuery {
  readonly integratorId?: string;
  readonly method?: string;
  /** A status, or its first digit. */
  readonly status?: string;
  readonly deliveryId?: string;
  /** A part of any text, case-insensitive. */
  readonly text?: string;
  /** Real time in ms. `from` is inclusive, `to` exclusive. */
  readonly from?: number;
  readonly to?: number;
}

/** The number of kept requests. */
export const MAX_REQUESTS = 5_000;
/** The total number of kept characters. */
export const MAX_CHARACTERS = 32_000_000;

export class RequestLog {
  #kept: { request: LoggedRequest; size: number }[] = [];
  #characters = 0;
  #seen = 0;
  readonly #report: (request: AnsweredRequest) => void;

  /** @param report called with each logged request */
  constructor(report: (request: AnsweredRequest) => void = () => {}) {
    this.#report = report;
  }

  get seen(): number {
    return this.#seen;
  }

  get kept(): number {
    return this.#kept.length;
  }

  /** Logs the latest request. Returns its number. */
  add(answered: AnsweredRequest): number {
    this.#seen += 1;
    this.#report(answered);
    const request = { ...answered, id: this.#seen };
    const size = sizeOf(request);
    this.#kept.push({ request, size });
    this.#characters += size;
    this.#forget();
    return request.id;
  }

  find(id: number): LoggedRequest | undefined {
    return this.#kept.find(({ request }) => request.id === id)?.request;
  }

  /** Matching requests, latest first. */
  search(query: RequestQuery): LoggedRequest[] {
    const text = query.text?.toLowerCase();
    return this.#kept
      .filter(({ request }) => fits(request, query) && (text === undefined || holds(request, text)))
      .map(({ request }) => request)
      .toReversed();
  }

  /** Removes a tenth more than necessary, so that it runs rarely. */
  #forget(): void {
    if (this.#kept.length <= MAX_REQUESTS && this.#characters <= MAX_CHARACTERS) return;
    let gone = 0;
    for (const { size } of this.#kept) {
      const left = this.#kept.length - gone;
      if (left <= MAX_REQUESTS * 0.9 && this.#characters <= MAX_CHARACTERS * 0.9) break;
      this.#characters -= size;
      gone += 1;
    }
    this.#kept = this.#kept.slice(gone);
  }
}

const textsOf = (request: LoggedRequest): string[] => [
  request.path,
  request.code ?? "",
  request.requestBody?.text ?? "",
  request.responseBody?.text ?? "",
  ...Object.values(request.requestHeaders),
];

/** The approximate number of characters in memory. */
function sizeOf(request: LoggedRequest): number {
  const answered = Object.values(request.responseHeaders);
  return [...textsOf(request), ...answered].reduce((sum, text) => sum + text.length, 500);
}

function holds(request: LoggedRequest, text: string): boolean {
  return textsOf(request).some((one) => one.toLowerCase().includes(text));
}

function fits(request: LoggedRequest, query: RequestQuery): boolean {
  const { integratorId, method, status, deliveryId, from, to } = query;
  return (
    (integratorId === undefined || request.integratorId === integratorId) &&
    (method === undefined || request.method === method) &&
    (status === undefined || String(request.status).startsWith(status)) &&
    (deliveryId === undefined || request.deliveryId === deliveryId) &&
    (from === undefined || request.at >= from) &&
    (to === undefined || request.at < to)
  );
}
