/** What behaviour.js finds before it in its page. */
declare const MiniSearch: typeof import("minisearch").default;
declare function comparable(word: string): string;
