import { visible } from "../../suites/core/text/visible-text.ts";

/** Escapes of JSON; of surrogates `JSON.stringify` escapes the halves that stand alone. */
const ESCAPE = /\\(?:(ud[89a-f]..)|.)/g;

/**
 * Data as JSON that acts on nothing that shows it and that every parser reads. Strict ones refuse half of a surrogate pair,
 * so it becomes the text of its escape.
 * @param indent of each level, in spaces; with none it stands on one line
 */
export const jsonText = (data: unknown, indent = 2): string =>
  visible(
    JSON.stringify(data, null, indent).replace(ESCAPE, (found, half?: string) =>
      half === undefined ? found : `\\${found}`,
    ),
  );
