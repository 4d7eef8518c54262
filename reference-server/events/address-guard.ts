/**
 * Addresses that webhooks may reach. Integrators choose them, so without this guard the service could be made to send
 * requests into its own network.
 */
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface AddressGuard {
  /** Whether an IP address is anyone's on the internet. */
  isPublic(address: string): boolean;
  /** Why the url of a subscription isn't taken, in Turkish; undefined where it is. A trusted one may be private. */
  refusal(guard: AddressGuard, url: URL, trusted: boolean): string | undefined;
}

/** The addresses of a host name. Throws where there are none. */
export type ResolveHost = (hostname: string) => Promise<ResolvedAddress[]>;

/**
 * Asks the name servers instead of the system resolver, which has few threads: unanswered names would block all other
 * lookups.
 */
export const resolveHost: ResolveHost = async (hostname) => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
    resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
  ]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const refused = answers.find((answer) => answer.status === "rejected");
  if (addresses.length === 0 && refused !== undefined) throw refused.reason;
  return addresses;
};

const global = ipaddr.IPv6.parseCIDR("2000::/3");

export const addressGuard: AddressGuard = {
  isPublic(address) {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.parse(address);
    if (parsed.range() !== "unicast") return false;
    // What stands for an IPv4 address (::7f00:1) or isn't given to anybody lies outside.
    return parsed instanceof ipaddr.IPv4 || parsed.match(global);
  },

  /** Hosts are in their one normal form here, whatever notation they came in: `0x7f.1` is 127.0.0.1. */
  refusal({ isPublic }, url, trusted) {
    if (url.protocol !== "https:") return "https adresi olmalı";
    if (url.username !== "" || url.password !== "") return "kullanıcı adı ya da parola taşıyamaz";
    if (trusted) return undefined;
    const literal = ipLiteralOf(url.hostname);
    if (literal !== undefined && !isPublic(literal)) return "özel ya da yerel bir adres olamaz";
    if (/(^|\.)localhost\.?$/.test(url.hostname)) return "özel ya da yerel bir adres olamaz";
    return undefined;
  },
};

/** The IP address that a host is, if it is one; IPv6 without its brackets. */
export function ipLiteralOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) ? bare : undefined;
}
