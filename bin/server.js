// Runs one instance of the reference server. Plain JavaScript for the same reason as source.js.
import { enableCompileCache } from "node:module";

enableCompileCache();
await import("../sandbox/main.ts");
