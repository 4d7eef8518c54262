/**
 * Runs the server that its argument names. Sends the server's port and the address and token of its control interface
 * to the parent process, and then a message just before each retry of a webhook. Exits with the parent.
 */
import { faultyServers, fieldServers } from "./servers.ts";

const [, start] = Object.entries({ ...fieldServers, ...faultyServers }).find(
  ([name]) => name === process.argv[2],
) ?? [undefined, undefined];
if (!start) throw new Error(`there is no server called ${process.argv[2]}`);
const { port, control } = await start(() => process.send?.("retry"));
process.on("disconnect", () => process.exit());
process.send?.({ port, control });
