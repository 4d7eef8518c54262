/** A complete reference server in this process, for the command line, mutants and tests. */
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { DatabaseDialect } from "./database/dialect.ts";
import { migrate } from "./database/migrations.ts";
import { defaultLocation, dialectAt, openDatabase } from "./database/open.ts";
import { makeDependencies } from "./default-dependencies.ts";
import type { Dependencies, Limiter } from "./dependencies.ts";
import { checkKey } from "./dispatcher/key-check.ts";
import { keyBesideDatabase, randomKey } from "./events/secret-encryption.ts";
import { controlPath } from "./http/control.ts";
import { memoryLimiter } from "./http/rate-limits.ts";
import { watchForIdleness } from "./idle.ts";
import { Housekeeping } from "./scheduler/housekeeping.ts";
import { buildServer } from "./server.ts";

/** Error text for a shared database without a webhook key. */
export const missingKeyMessage = ({ name }: DatabaseDialect): string =>
  `WEBHOOK_KEY is needed with ${name}: 32 bytes as base64, the same for every server (openssl rand -base64 32)`;

export interface StartOptions {
  /** Replaces dependencies of the reference server. */
  mutate?: (deps: Dependencies) => Dependencies;
  /** Defaults to 0, which picks a free port. */
  port?: number;
  /** Defaults to 127.0.0.1. */
  host?: string;
  /** Defaults to a random token. Null for no control interface. */
  controlToken?: string | null;
  /** A file's path, or a `postgres://` URL, which several servers may share. Defaults to memory. */
  database?: string;
  /** A `redis://` URL for rate limits that several servers share. Defaults to counters in this process. */
  redis?: string;
  /**
   * The encryption key of webhook secrets, 32 bytes. By default it is generated, and stored next to the
   * database file. Servers that share a database need the same key.
   */
  webhookKey?: Buffer;
  /** Private origins that webhooks may go to, in addition to the origins that the control interface trusts. */
  trustedOrigins?: readonly string[];
  /** Proxies whose `X-Forwarded-For` is trusted, as addresses or networks. */
  trustedProxies?: readonly string[];
  /** The service's public URL, if it differs from the listening address. */
  publicUrl?: string;
  /** Called with every error that caused a 500. By default it prints the error. */
  reportFault?: (error: unknown) => void;
}

export interface RunningServer {
  url: string;
  controlUrl: string;
  controlToken: string | null;
  /** The instance's id, unique among the servers on one database. */
  instance: string;
  /** True if no webhook is being sent, and none becomes due within this real time (see `idle.ts`). */
  isIdle(withinMs: number): Promise<boolean>;
  /** Finishes open requests, aborts webhook attempts, which the next start repeats, and stops. */
  close(): Promise<void>;
  /** Stops as `close` does, but also waits for webhook attempts; at most `limits.stopMs` for each. */
  finish(): Promise<void>;
}

/** Tokens per minute and IP address, enough for every start of a client. */
const TOKENS_FOR_A_SANDBOX = 10_000;

/** Raises the limit of tokens: a client that is started for each order needs a token each time. */
export const withTokensForEachStart = (deps: Dependencies): Dependencies => ({
  ...deps,
  limits: {
    ...deps.limits,
    rate: {
      ...deps.limits.rate,
      token: { ...deps.limits.rate.token, requests: TOKENS_FOR_A_SANDBOX },
    },
  },
});

export async function startReferenceServer(options: StartOptions = {}): Promise<RunningServer> {
  const { mutate = (original) => original, port = 0, host = "127.0.0.1" } = options;
  const controlToken =
    options.controlToken === undefined ? randomBytes(24).toString("base64url") : options.controlToken;
  const location = options.database ?? defaultLocation;
  const webhookKey = options.webhookKey ?? webhookKeyFor(location);
  const { database, instances, keepTables } = await openDatabase(location);
  const limiter = await limiterAt(options.redis).catch(async (error: unknown) => {
    await database.destroy();
    throw error;
  });
  let url = "";
  const deps = mutate(
    makeDependencies({
      database,
      databaseFile: dialectAt(location).fileOf(location),
      instances,
      limiter,
      publicUrl: () => options.publicUrl ?? url,
      controlToken,
      webhookKey,
      trustedOrigins: options.trustedOrigins ?? [],
      trustedProxies: options.trustedProxies ?? [],
      reportFault: options.reportFault ?? ((error) => console.error(error)),
    }),
  );
  const app = buildServer(deps);
  const isIdle = watchForIdleness(app.server, deps);
  const housekeeping = new Housekeeping();
  const stop = async () => {
    await housekeeping.stop();
    await deps.alarm.stop();
    await deps.dispatcher.stop();
    await deps.transport.close();
    await deps.limiter.close();
    await deps.instances.leave();
    await deps.database.destroy();
  };
  try {
    await migrate(deps.database);
    keepTables?.();
    await checkKey(deps);
    await deps.instances.join((integratorId) => {
      deps.dispatcher.clockWasMoved(integratorId).catch(deps.reportFault);
      deps.alarm.wake();
    });
    await housekeeping.start(deps);
    url = await app.listen({ port, host });
    deps.alarm.start(deps);
    await deps.dispatcher.start(deps);
  } catch (error) {
    await app.close();
    await stop();
    throw error;
  }
  return {
    url,
    controlUrl: `${url}${controlPath}`,
    controlToken,
    instance: deps.instances.id,
    isIdle,
    async close() {
      await app.close();
      await stop();
    },
    async finish() {
      await closeWithin(deps.limits.stopMs, app);
      await deps.dispatcher.finish(deps.limits.stopMs);
      await stop();
    },
  };
}

/** Throws if several servers may share the database: a key generated by this server would differ from the keys of the other servers. */
export function webhookKeyFor(location: string): Buffer {
  const dialect = dialectAt(location);
  if (dialect.isShared) throw new Error(missingKeyMessage(dialect));
  const file = dialect.fileOf(location);
  if (file === undefined) return randomKey();
  dialect.checkFile(location);
  return keyBesideDatabase(file);
}

async function limiterAt(redis: string | undefined): Promise<Limiter> {
  if (redis === undefined) return memoryLimiter();
  const { redisLimiter } = await import("./http/redis-limiter.ts");
  return redisLimiter(redis);
}

/**
 * Stops accepting connections, waits for open requests, and closes their connections after `ms` of real time.
 */
async function closeWithin(ms: number, app: FastifyInstance): Promise<void> {
  const closed = app.close();
  const isLate = await Promise.race([closed.then(() => false), pause(ms, true, { ref: false })]);
  if (isLate) app.server.closeAllConnections();
  await closed;
}
