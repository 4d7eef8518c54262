/** A run of somebody who has nothing but credentials and pairing codes: it keeps to the limits, and waits for them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { paths as ControlPaths } from "../../../../openapi/generated/control.ts";
import { apiClient, bodyOf } from "../../api-client.ts";
import { runCommand } from "../commands.ts";
import { MOST_RUNS } from "../far-run.ts";
import { type ServerProcess, startServer } from "../processes.ts";
import type { BenchRow, BenchSettings } from "../row.ts";
import { spreadOf } from "../spread.ts";

const CREDENTIALS = 2;
const CODES = 12;
/** Without couriers and clocks some checks aren't testable. */
const accepted = [0, 2];

/** What the operator of a service hands out. */
async function handedOut({ controlUrl, controlToken }: ServerProcess) {
  const control = apiClient<ControlPaths>(controlUrl, controlToken);
  const times = <T>(many: number, make: () => Promise<T>) => Promise.all(Array.from({ length: many }, make));
  const integrators = await times(CREDENTIALS, async () =>
    bodyOf(await control.POST("/integrators", { body: {} })),
  );
  const codes = await times(CODES, async () => bodyOf(await control.POST("/pairing-codes", { body: {} })));
  return {
    credentials: integrators.map(({ client_id, client_secret }) => ({ client_id, client_secret })),
    pairing_codes: codes.map(({ pairing_code }) => pairing_code),
  };
}

async function runOnce({ folder, scale }: BenchSettings): Promise<number> {
  const server = await startServer("reference", ":memory:");
  try {
    const config = join(folder, "conform.yaml");
    // JSON is YAML.
    writeFileSync(config, JSON.stringify({ url: server.url, claims: ["api"], ...(await handedOut(server)) }));
    const some = scale < 1 ? ["--only", "health.*"] : [];
    const args = ["conform", "--config", config, "--seed", "1", "--quiet", ...some];
    return (await runCommand(folder, args, { accepted })).seconds;
  } finally {
    await server.close();
  }
}

export const credentialsRow: BenchRow = {
  id: "credentials",
  how: `--claims api with ${CREDENTIALS} credentials and ${CODES} pairing codes, on a server in another process whose limits are the specification's`,
  async run(settings) {
    const seconds: number[] = [];
    for (let round = 0; round < Math.min(MOST_RUNS, settings.rounds); round += 1)
      seconds.push(await runOnce(settings));
    return [
      {
        title: "run by credentials alone",
        unit: "s",
        spread: spreadOf(seconds),
        target: { is: "at most", value: 64 },
        detail: "limits included: one window of them",
      },
    ];
  },
};
