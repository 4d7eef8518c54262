import { UnusableDatabase } from "../../../reference-server/database/unusable.ts";
import { UsageError } from "../../usage-error.ts";
import type { ServeSettings } from "./settings.ts";

const LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: "something listens there already",
  EADDRNOTAVAIL: "this machine doesn't have that address",
  EACCES: "permission denied",
  ENOTFOUND: "there is no such host",
};

/** Why a sandbox didn't start, in one line, for problems that the user can fix. Returns other errors unchanged. */
export function couldNotStart(error: unknown, { port, host, database }: ServeSettings): unknown {
  if (error instanceof UnusableDatabase) {
    return new UsageError(`can't use the database ${database}: ${error.message}`);
  }
  if (!(error instanceof Error) || !("code" in error)) return error;
  const code = String(error.code);
  const listens = "syscall" in error && /^(listen|bind|getaddrinfo)$/.test(String(error.syscall));
  if (listens) {
    const where = host === undefined ? `port ${port}` : `${host}, port ${port}`;
    return new UsageError(
      `can't serve on ${where}: ${LISTENING[code] ?? code} (${code}); give another --port or --host`,
    );
  }
  if (database !== undefined) {
    return new UsageError(`can't use the database ${database}: ${error.message} (give another --database)`);
  }
  return error;
}
