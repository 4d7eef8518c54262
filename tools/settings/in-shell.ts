import { shellQuote } from "../../suites/core/exchange.ts";

/** A word of a command line, quoted if a shell would interpret it. */
export const inShell = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word));
