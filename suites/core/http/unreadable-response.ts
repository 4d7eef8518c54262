/** A response arrived, but exceeds the suite's limits. */
export class UnreadableResponse extends Error {
  override readonly name = "UnreadableResponse";
}
