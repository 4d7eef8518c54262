/** Limits the connections per IP address, so that a few addresses can't use up all connections. */
import type { Server } from "node:http";
import { BlockList, isIPv6, type Socket } from "node:net";
import type { Dependencies } from "../dependencies.ts";

/**
 * Drops an address's connections beyond the limit. Trusted proxies are exempt, because they connect for many
 * clients.
 */
export function limitConnectionsPerAddress(server: Server, deps: Dependencies): void {
  const open = new Map<string, number>();
  const proxies = networksOf(deps.trustedProxies);
  server.prependListener("connection", (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || proxies.check(address, familyOf(address))) return;
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count > deps.limits.connections.perAddress) socket.destroy();
  });
}

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");

/** @param networks addresses, or networks as `10.0.0.0/8` */
function networksOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}
