/**
 * A server in a process of its own, told by its argument which. It says where it is, and then when a webhook is about to be
 * sent again; it ends with whoever started it.
 */
import { faultyServers, fieldServers } from "./servers.ts";

const [, start] = Object.entries({ ...fieldServers, ...faultyServers }).find(
  ([name]) => name === process.argv[2],
) ?? [undefined, undefined];
if (!start) throw new Error(`there is no server called ${process.argv[2]}`);
const { port, control } = await start(() => process.send?.("retry"));
process.on("disconnect", () => process.exit());
process.send?.({ port, control });
