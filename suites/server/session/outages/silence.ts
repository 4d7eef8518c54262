/** An observation of a target that doesn't respond itself. */
export interface Silence {
  readonly why: string;
  /** The proxy and its response, as the start of a sentence. Undefined if nothing responds. */
  readonly proxyPage?: string;
}
