/** A database that this server can't use, with the reason as the message. */
export class UnusableDatabase extends Error {}
