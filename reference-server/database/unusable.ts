/** A database that this server can't work with, and why: for whoever chose it to mend. */
export class UnusableDatabase extends Error {}
