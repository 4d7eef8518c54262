/** The longest parameter that isn't shortened: an identifier, a time. */
const LONGEST_PARAMETER = 40;
const LONGER_PARAMETER = new RegExp(`([?&][^=&?\\s]*=)([^&\\s]{${LONGEST_PARAMETER + 1},})`, "g");

/** Shortens long parameters, especially cursors, so that the rest of the line remains visible. */
export const withShortParameters = (asked: string): string =>
  asked.replace(LONGER_PARAMETER, (_, name: string, value: string) => {
    const [head, tail] = [value.slice(0, 12), value.slice(-8)];
    return `${name}${head}…${tail}`;
  });
