// Plain JavaScript, so that the compile cache is on before any TypeScript is compiled, which takes most of a
// short command's time.
import { enableCompileCache } from "node:module";

enableCompileCache();
await import("../tools/cli.ts");
