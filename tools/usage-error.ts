/** A mistake in the command's use, reported in one line (what, where, what to do), with exit code 3. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
