/** A database that this server can't use. The message says why. */
export class UnusableDatabase extends Error {}
