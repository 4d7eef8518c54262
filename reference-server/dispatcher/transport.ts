/** Sends requests to webhook endpoints. Connections are reused, and go only to allowed addresses. */
import { createHash } from "node:crypto";
import type { LookupFunction } from "node:net";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import type { buildConnector, Pool } from "undici";
import type { Dependencies, OriginTrust, Transport } from "../dependencies.ts";
import { ipLiteralOf } from "../events/address-guard.ts";

/** Thrown if an endpoint's host resolves to an address that webhooks may not reach. */
class ForbiddenAddress extends Error {}

/** The maximum number of idle pools. */
const mostPools = 500;

/** The HTTP client, loaded at the first event to keep the start fast. */
const client = () => import("undici");
type Client = Awaited<ReturnType<typeof client>>;

export function keepAliveTransport(): Transport {
  const pools = new Map<string, Pool>();

  function poolFor(library: Client, deps: Dependencies, origin: string, trust: OriginTrust | null): Pool {
    const key = `${origin} ${trust === null ? "" : `trusted ${fingerprint(trust.ca_pem)}`}`;
    const pool = pools.get(key) ?? makePool(library, deps, origin, trust);
    // Moves the pool to the end, which orders pools by last use.
    pools.delete(key);
    pools.set(key, pool);
    if (pools.size > mostPools) closeIdle(pools);
    return pool;
  }

  return {
    async post(deps, { method, url, headers, body, trust }, signal) {
      const { origin, pathname, search } = new URL(url);
      const response = await poolFor(await client(), deps, origin, trust).request({
        method,
        path: `${pathname}${search}`,
        headers,
        body,
        signal,
      });
      let read = 0;
      const chunks: Buffer[] = [];
      for await (const chunk of response.body) {
        const bytes = Buffer.from(chunk);
        chunks.push(bytes);
        read += bytes.length;
        // Leaving the loop closes the connection; the rest of the body is ignored.
        if (read > deps.limits.webhooks.responseBytes) break;
      }
      const { location } = response.headers;
      return {
        status: response.statusCode,
        location: typeof location === "string" ? location : undefined,
        headers: joined(response.headers),
        body: Buffer.concat(chunks),
      };
    },

    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

/** A pool with one connection per concurrent attempt, so that a slow response blocks no other attempt. */
function makePool(library: Client, deps: Dependencies, origin: string, trust: OriginTrust | null): Pool {
  return new library.Pool(origin, {
    connect: connector(library.buildConnector, deps, trust),
    allowH2: false,
    // The attempt has its own timeout.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/**
 * Checks the address at connection time: a name may resolve differently than at registration. An IP literal
 * never goes through `lookup`, so an IP literal is checked first.
 */
function connector(
  build: Client["buildConnector"],
  deps: Dependencies,
  trust: OriginTrust | null,
): buildConnector.connector {
  const { answerMs } = deps.limits.webhooks;
  const common = { allowH2: false, timeout: answerMs };
  if (trust !== null) {
    const { ca_pem } = trust;
    if (ca_pem === null) return build(common);
    return build({ ...common, secureContext: contextTrusting(ca_pem) });
  }
  const connect = build({ ...common, lookup: guardedLookup(deps) });
  return (options, callback) => {
    const literal = ipLiteralOf(options.hostname);
    if (literal === undefined || deps.addressGuard.isPublic(literal)) connect(options, callback);
    else callback(new ForbiddenAddress(`${literal} is not public`), null);
  };
}

/** TLS contexts by the fingerprint of the trusted CA; the least recently used context comes first. */
const contexts = new Map<string, SecureContext>();
/** The maximum number of cached TLS contexts. It is low, because all endpoints of a receiver share its CA. */
const mostContexts = 20;

/**
 * A context that trusts this CA and the default CAs. Cached, because reading all CA certificates takes longer than a
 * connection.
 */
function contextTrusting(pem: string): SecureContext {
  const key = fingerprint(pem);
  const context = contexts.get(key) ?? createSecureContext({ ca: [...getCACertificates("default"), pem] });
  contexts.delete(key);
  contexts.set(key, context);
  for (const oldest of contexts.keys()) {
    if (contexts.size <= mostContexts) break;
    contexts.delete(oldest);
  }
  return context;
}

/** Returns only checked addresses. The connection uses the checked addresses directly: a second lookup could return different addresses. */
function guardedLookup(deps: Dependencies): LookupFunction {
  return (hostname, options, callback) => {
    deps.resolveHost(hostname).then(
      (addresses) => {
        const allowed = addresses.filter(({ address }) => deps.addressGuard.isPublic(address));
        const [first] = allowed;
        if (first === undefined) callback(new ForbiddenAddress(`${hostname} is not public`), []);
        else if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** Joins the values of a repeated header, one per line. */
function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value = ""]) => [name, [value].flat().join("\n")]);
  return Object.fromEntries(entries);
}

function closeIdle(pools: Map<string, Pool>): void {
  for (const [key, pool] of pools) {
    if (pool.stats.running + pool.stats.pending + pool.stats.queued > 0) continue;
    pools.delete(key);
    void pool.close();
    return;
  }
}

function fingerprint(pem: string | null): string {
  return pem === null ? "" : createHash("sha256").update(pem).digest("base64url");
}
