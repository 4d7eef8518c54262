// The command line in a container. It runs as the owner of the working directory, so that files belong to
// that user without --user. Plain JavaScript for the same reason as source.js.
import { statSync } from "node:fs";

const { uid, gid } = statSync(".");
if (process.getuid() === 0 && uid !== 0) {
  process.setgroups([]);
  process.setgid(gid);
  process.setuid(uid);
}
await import("./source.js");
