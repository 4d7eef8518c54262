/** Globals that the page defines before behaviour.js runs. */
declare const MiniSearch: typeof import("minisearch").default;
declare function comparable(word: string): string;
