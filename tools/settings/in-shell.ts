import { shellQuote } from "../../suites/core/exchange.ts";

/** A word of a command line, in quotes if it contains characters that a shell interprets. */
export const inShell = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word));
