/** Runs the reference server with its sandbox. Only this file reads the environment. */

import { startReferenceServer } from "../reference-server/embedded.ts";
import { reasonOf } from "../reference-server/errors.ts";
import { readSettings } from "../reference-server/settings.ts";
import { withSandbox } from "./sandbox.ts";
import { readSimulation } from "./simulator/options.ts";

try {
  // The control token gives access to the console too.
  const mutate = withSandbox(readSimulation(process.env));
  const server = await startReferenceServer({ mutate, ...readSettings(process.env) });
  const control = server.controlToken === null ? "" : `, control interface at ${server.controlUrl}`;
  console.log(`reference server at ${server.url}${control}, instance ${server.instance}`);
  // SIGTERM lets the server finish its work. Ctrl-C or a second signal ends it immediately.
  process.once("SIGTERM", () => {
    process.once("SIGTERM", () => process.exit(0));
    void server.finish().then(() => process.exit(0));
  });
  process.once("SIGINT", () => void server.close().then(() => process.exit(0)));
} catch (error) {
  console.error(`cannot start: ${reasonOf(error)}`);
  process.exitCode = 3;
}
