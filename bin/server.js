// The reference server as one instance. Plain JavaScript for the reason that source.js has.
import { enableCompileCache } from "node:module";

enableCompileCache();
await import("../sandbox/main.ts");
