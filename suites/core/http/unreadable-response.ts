/** A response arrived, but it exceeds the suite's limits, or can't be decoded. */
export class UnreadableResponse extends Error {
  override readonly name = "UnreadableResponse";
}
