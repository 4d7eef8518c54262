/** The PostgreSQL dialect. Several instances may share a database. */
import type { DatabaseDialect } from "../dialect.ts";

/** The codes of conflicts: serialization failure and deadlock. */
const conflicts = ["40001", "40P01"];

const isAddress = (text: string) => /^postgres(ql)?:\/\//.test(text);

export const postgres: DatabaseDialect = {
  name: "PostgreSQL",
  urlForm: "postgres://USER:PASSWORD@HOST/NAME",
  isShared: true,
  locationOf: (url) => (isAddress(url) && URL.canParse(url) ? url : undefined),
  takes: isAddress,
  fileOf: () => undefined,
  checkFile: () => {},
  open: async (location) => (await import("./postgres.ts")).openPostgres(location),
  isConflict: (error) => error instanceof Error && "code" in error && conflicts.includes(String(error.code)),
  sharing: (query) => query.forShare(),
  skippingTaken: (query, table) => query.forUpdate(table).skipLocked(),
};
