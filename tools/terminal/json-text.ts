import { visible } from "../../suites/core/text/visible-text.ts";

/** An escape in JSON. The group matches if it escapes a lone surrogate, which is half of a character. */
const ESCAPE = /\\(?:(ud[89a-f]..)|.)/g;

/**
 * JSON that is safe to display and that every parser accepts. A lone surrogate becomes the text of its escape, because
 * strict parsers reject it.
 * @param indent spaces per level; without it the JSON is on one line
 */
export const jsonText = (data: unknown, indent = 2): string =>
  visible(
    JSON.stringify(data, null, indent).replace(ESCAPE, (found, half?: string) =>
      half === undefined ? found : `\\${found}`,
    ),
  );
