/** A genuine event about a delivery that the receiver accepted. */
export interface SentEvent {
  readonly id: string;
  readonly version: number;
  readonly timestamp: string;
}
