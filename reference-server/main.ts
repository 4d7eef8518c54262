/** The reference server as a process: the only file that reads the environment. */
import { startReferenceServer } from "./embedded.ts";
import { readSettings } from "./settings.ts";

try {
  const server = await startReferenceServer(readSettings(process.env));
  const control = server.controlToken === null ? "" : `, control interface at ${server.controlUrl}`;
  console.log(`reference server at ${server.url}${control}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());
} catch (error) {
  console.error(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 3;
}
