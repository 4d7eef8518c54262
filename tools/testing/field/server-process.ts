/**
 * A server in its own process, chosen by its argument. It reports its address, and then each time that a webhook is
 * about to be sent again. It exits with its parent.
 */
import { faultyServers, fieldServers } from "./servers.ts";

const [, start] = Object.entries({ ...fieldServers, ...faultyServers }).find(
  ([name]) => name === process.argv[2],
) ?? [undefined, undefined];
if (!start) throw new Error(`there is no server called ${process.argv[2]}`);
const { port, control } = await start(() => process.send?.("retry"));
process.on("disconnect", () => process.exit());
process.send?.({ port, control });
