import { casesFrom } from "../../core/grading/expectations/each-element.ts";

/** A text without its last character, which may have two code units. */
export const withoutLastCharacter = (text: string): string => [...text].slice(0, -1).join("");

/** Another name of the same length: only its last letter or digit differs. */
export const withLastCharacterChanged = (name: string): string =>
  `${name.slice(0, -1)}${name.endsWith("7") ? "4" : "7"}`;

/** Different names with the same beginning. A server that compares only a part confuses them. */
export const lookAlikesOf = (name: string) =>
  casesFrom("names that look alike", {
    "without the last character": withoutLastCharacter(name),
    "with one character more": `${name}7`,
    "with another last character": withLastCharacterChanged(name),
  });

/** Patterns of SQL's LIKE that match a name. A server may refuse their characters (OPEN-29). */
export const patternsFor = (name: string) =>
  casesFrom("patterns that match the name", {
    "an underscore for a hyphen": name.replace("-", "_"),
    "a percent sign for its end": `${name.slice(0, -4)}%`,
  });
