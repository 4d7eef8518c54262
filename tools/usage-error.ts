/** A mistake of the user. The command prints the message (what is wrong, where, what to do) and exits with code 3. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
