/** A mistake of the person who runs the command: told in one line (what, where, what to do), exit code 3. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
