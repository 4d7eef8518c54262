import { shellQuote } from "../../suites/core/exchange.ts";

/** A word of a command line, in quotes where a shell would make something else of it. */
export const inShell = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word));
