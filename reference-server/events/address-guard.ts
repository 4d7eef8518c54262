/**
 * Addresses that webhooks may reach. Integrators choose the URLs, so without this guard they could make the
 * service send requests into its own network.
 */
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface AddressGuard {
  /** True for an IP address on the public internet. */
  isPublic(address: string): boolean;
  /**
   * Why a subscription's URL is invalid, in Turkish; undefined for a valid URL. A trusted origin may be
   * private.
   */
  refusal(guard: AddressGuard, url: URL, trusted: boolean): string | undefined;
}

/** The addresses of a host name. Throws if the name has no address. */
export type ResolveHost = (hostname: string) => Promise<ResolvedAddress[]>;

/**
 * Sends queries to the name servers directly. The system resolver has few threads, so names without an answer
 * would block all other lookups.
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
    // Excludes IPv6 forms of IPv4 addresses (::7f00:1) and unassigned addresses.
    return parsed instanceof ipaddr.IPv4 || parsed.match(global);
  },

  /** URL parsing has normalized the host: `0x7f.1` is 127.0.0.1. */
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

/** The host's IP address, with IPv6 brackets removed; undefined for a name. */
export function ipLiteralOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) ? bare : undefined;
}
