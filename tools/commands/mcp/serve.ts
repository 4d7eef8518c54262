import { once } from "node:events";
import type { Interruption } from "../../certification/interruption.ts";
import { UsageError } from "../../usage-error.ts";
import { conformSettings } from "../conform/settings.ts";
import type { Operator } from "./run-tool.ts";
import { agentServer, type Session } from "./server.ts";

/** @throws UsageError if the SDK isn't installed */
async function loadSdk() {
  try {
    const [sdk, stdio] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("@modelcontextprotocol/server/stdio"),
    ]);
    return { ...sdk, ...stdio };
  } catch {
    throw new UsageError(
      "mcp needs the package @modelcontextprotocol/server: npm install --save-dev @modelcontextprotocol/server@2",
    );
  }
}

/**
 * Serves agents until standard input ends or the user ends the command. A run in progress cleans up first.
 * @throws UsageError if the SDK isn't installed, or for invalid settings
 */
export async function serveMcp(operator: Operator, interruption: Interruption): Promise<void> {
  const sdk = await loadSdk();
  conformSettings(operator.flags, operator.environment);
  const left = Promise.race([once(process.stdin, "end"), once(process.stdin, "close")]).then(() => {});
  const first = Promise.race([interruption.first, left]);
  const session: Session = { ...operator, ended: { ...interruption, first } };
  const connection = sdk.serveStdio(() => agentServer(sdk, session));
  await first;
  await connection.close();
  await session.running;
}
