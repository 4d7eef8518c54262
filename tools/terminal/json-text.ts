import { visible } from "../../suites/core/text/visible-text.ts";

/** JSON escapes. `JSON.stringify` escapes lone surrogates. */
const ESCAPE = /\\(?:(ud[89a-f]..)|.)/g;

/**
 * JSON that is safe to display and that every parser accepts. Strict parsers reject lone surrogates, so these become
 * the text of their escapes.
 * @param indent spaces per level; without it the JSON is on one line
 */
export const jsonText = (data: unknown, indent = 2): string =>
  visible(
    JSON.stringify(data, null, indent).replace(ESCAPE, (found, half?: string) =>
      half === undefined ? found : `\\${found}`,
    ),
  );
