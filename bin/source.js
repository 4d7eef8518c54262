// Plain JavaScript, so that what was compiled once is kept for the next start before there is any TypeScript: most of a
// short command is compiling.
import { enableCompileCache } from "node:module";

enableCompileCache();
await import("../tools/cli.ts");
