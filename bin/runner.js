// The command line in a container. What it writes belongs to the owner of the folder that it works in, so that nobody has to
// give --user. Plain JavaScript for the reason that source.js has.
import { statSync } from "node:fs";

const { uid, gid } = statSync(".");
if (process.getuid() === 0 && uid !== 0) {
  process.setgroups([]);
  process.setgid(gid);
  process.setuid(uid);
}
await import("./source.js");
