/** What a failed assertion throws. */
export function thrown(assertion: () => void): Error {
  try {
    assertion();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("the assertion held");
}
