#!/usr/bin/env node
// Plain JavaScript, so that an older Node can print the error message.
const NEEDED = 24;
if (Number(process.versions.node.split(".")[0]) < NEEDED) {
  process.stderr.write(
    `error: courier-conform needs Node ${NEEDED} or newer, and this is ${process.versions.node}: ` +
      "npx -p node@24 -p courier-conform courier-conform … brings one along\n",
  );
  process.exit(3);
}
const { enableCompileCache } = await import("node:module");
const { existsSync } = await import("node:fs");
enableCompileCache();
// A clone runs its source; the package contains compiled code only.
const source = new URL("../tools/cli.ts", import.meta.url);
await import(existsSync(source) ? source.href : "../dist/tools/cli.js");
