import { randomBytes } from "node:crypto";
import type { Output } from "../output.ts";
import { UsageError } from "../usage-error.ts";

export interface ServeFlags {
  port?: string;
  host?: string;
  database?: string;
}

const DEFAULT_PORT = 8080;

function portFrom(value: string | undefined): number {
  if (value === undefined) return DEFAULT_PORT;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new UsageError(`--port takes a number from 0 to 65535 (0 picks a free one), not ${value}`);
}

/**
 * Serves the reference server until it is interrupted, and says how to certify it.
 * @returns the exit code
 */
export async function serve(
  flags: ServeFlags,
  environment: NodeJS.ProcessEnv,
  output: Output,
  interrupted: Promise<void>,
): Promise<number> {
  const { startReferenceServer } = await import("../../reference-server/embedded.ts");
  const given = environment.CONTROL_TOKEN;
  const controlToken = given ?? randomBytes(24).toString("base64url");
  const port = portFrom(flags.port);
  let server: Awaited<ReturnType<typeof startReferenceServer>>;
  try {
    server = await startReferenceServer({
      port,
      controlToken,
      ...(flags.host === undefined ? {} : { host: flags.host }),
      ...(flags.database === undefined ? {} : { database: flags.database }),
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new UsageError(`can't serve on port ${port} (${code}): give another --port, --host or --database`);
  }
  output.result(
    [
      `The reference server listens on ${server.url}, its control interface on ${server.controlUrl}.`,
      ...(given === undefined ? [`Control token (set CONTROL_TOKEN to choose it): ${controlToken}`] : []),
      "Certify it from another terminal:",
      `  CONFORM_CONTROL_TOKEN=… npm run conform -- --url ${server.url} --control-url ${server.controlUrl}`,
      "Ctrl-C stops it.",
    ].join("\n"),
  );
  await interrupted;
  await server.close();
  return 0;
}
