/** Requests that were answered, kept in memory for people to look at: the latest ones, and no more than fit. */

/** A body as far as it is kept. */
export interface KeptBody {
  /** Without secrets; empty where it isn't text. */
  readonly text: string;
  /** Of the whole body. */
  readonly bytes: number;
  /** Whether the text is all of it. */
  readonly isWhole: boolean;
}

export interface AnsweredRequest {
  /** Real time in ms. */
  readonly at: number;
  /** Whose it is; null where that can't be told. */
  readonly integratorId: string | null;
  readonly method: string;
  /** With its query, without secrets. */
  readonly path: string;
  readonly status: number;
  /** The error's; null where it isn't one. */
  readonly code: string | null;
  readonly tookMs: number;
  /** The delivery that it is about. */
  readonly deliveryId: string | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Null where it has none, or was refused before it was read. */
  readonly requestBody: KeptBody | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: KeptBody | null;
}

export interface LoggedRequest extends AnsweredRequest {
  /** From 1, in the order of answers. */
  readonly id: number;
}

/** What is looked for; everything that is given has to hold. */
interface RequestQuery {
  readonly integratorId?: string;
  readonly method?: string;
  /** A status, or the first digit of several. */
  readonly status?: string;
  readonly deliveryId?: string;
  /** In any of its texts, whatever the case. */
  readonly text?: string;
  /** Real time in ms; `from` is among it, `to` isn't. */
  readonly from?: number;
  readonly to?: number;
}

/** The latest so many are kept. */
export const MOST_REQUESTS = 5_000;
/** And of them no more than so many characters in all. */
export const MOST_CHARACTERS = 32_000_000;

export class RequestLog {
  #kept: { request: LoggedRequest; size: number }[] = [];
  #characters = 0;
  #seen = 0;
  readonly #report: (request: AnsweredRequest) => void;

  /** @param report hears of each request when it is kept */
  constructor(report: (request: AnsweredRequest) => void = () => {}) {
    this.#report = report;
  }

  /** How many there were since the start. */
  get seen(): number {
    return this.#seen;
  }

  /** How many of them are kept. */
  get kept(): number {
    return this.#kept.length;
  }

  /** Keeps it as the latest; gives its number. */
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

  /** What fits, the latest first. */
  search(query: RequestQuery): LoggedRequest[] {
    const text = query.text?.toLowerCase();
    return this.#kept
      .filter(({ request }) => fits(request, query) && (text === undefined || holds(request, text)))
      .map(({ request }) => request)
      .toReversed();
  }

  /** Takes a tenth more than has to go, so that it isn't done for each request. */
  #forget(): void {
    if (this.#kept.length <= MOST_REQUESTS && this.#characters <= MOST_CHARACTERS) return;
    let gone = 0;
    for (const { size } of this.#kept) {
      const left = this.#kept.length - gone;
      if (left <= MOST_REQUESTS * 0.9 && this.#characters <= MOST_CHARACTERS * 0.9) break;
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

/** Headers of answers are much alike, and short. */
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
