/** Why a target doesn't respond. */
export interface Silence {
  readonly why: string;
  /**
   * What a proxy responded instead of the target, as the start of a sentence. Undefined if nothing responds.
   */
  readonly proxyPage?: string;
}
