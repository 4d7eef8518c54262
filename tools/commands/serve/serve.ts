import { randomBytes } from "node:crypto";
import type { RunningServer } from "../../../reference-server/embedded.ts";
import type { SimulatorOptions } from "../../../reference-server/parts.ts";
import { FASTEST_COURIERS, SHORTEST_CONTROL_TOKEN, speedOf } from "../../../reference-server/settings.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";

export interface ServeFlags {
  port?: string;
  host?: string;
  database?: string;
  speed?: string;
  seed?: string;
  simulator: boolean;
  json?: boolean;
}

const DEFAULT_PORT = 8080;
const DEFAULT_SPEED = 60;

function portFrom(value: string | undefined): number {
  if (value === undefined) return DEFAULT_PORT;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new UsageError(`--port takes a number from 0 to 65535 (0 picks a free one), not ${value}`);
}

function simulationFrom({
  simulator,
  speed = String(DEFAULT_SPEED),
  seed = "1",
}: ServeFlags): SimulatorOptions | null {
  const times = speedOf(speed);
  if (times === undefined) {
    throw new UsageError(
      `--speed takes a number above 0 and up to ${FASTEST_COURIERS} (1 is real time), not ${speed}`,
    );
  }
  return simulator ? { seed, speed: times } : null;
}

/** What a newcomer begins with. */
interface Ready {
  client_id: string;
  client_secret: string;
  pairing_codes: string[];
}

/**
 * Serves a sandbox until it is interrupted: the reference server with simulated couriers and a console. Says how to
 * begin with it, and how to certify it.
 * @returns the exit code
 */
export async function serve(
  flags: ServeFlags,
  environment: NodeJS.ProcessEnv,
  output: Output,
  interrupted: Promise<void>,
): Promise<number> {
  const given = environment.CONTROL_TOKEN || undefined;
  if (given !== undefined && given.length < SHORTEST_CONTROL_TOKEN)
    throw new UsageError(
      `CONTROL_TOKEN needs ${SHORTEST_CONTROL_TOKEN} characters or more: take a random one`,
    );
  const controlToken = given ?? randomBytes(24).toString("base64url");
  const port = portFrom(flags.port);
  const simulation = simulationFrom(flags);
  const server = await started(flags, port, controlToken, simulation);
  try {
    const ready = await prepare(server, controlToken, simulation !== null);
    const consoleUrl = `${server.url}/console`;
    output.data({
      url: server.url,
      control_url: server.controlUrl,
      console_url: consoleUrl,
      control_token: controlToken,
      simulator: simulation,
      ...ready,
    });
    output.result(
      [
        `The sandbox listens on ${server.url}, its control interface on ${server.controlUrl}.`,
        "",
        `  Console        ${consoleUrl}`,
        `  Control token  ${given === undefined ? controlToken : "as in CONTROL_TOKEN"}`,
        `  client_id      ${ready.client_id}`,
        `  client_secret  ${ready.client_secret}`,
        `  Pairing codes  ${ready.pairing_codes.join("   ")}`,
        `  Couriers       ${simulationWords(simulation)}`,
        "",
        ...firstSteps(server.url, ready),
        "",
        "Certify it from another terminal:",
        `  CONFORM_CONTROL_TOKEN=… npm run conform -- --url ${server.url} --control-url ${server.controlUrl}`,
        "Ctrl-C stops it.",
      ].join("\n"),
    );
    await interrupted;
  } finally {
    await server.close();
  }
  return 0;
}

async function started(
  flags: ServeFlags,
  port: number,
  controlToken: string,
  simulation: SimulatorOptions | null,
): Promise<RunningServer> {
  const { startReferenceServer } = await import("../../../reference-server/embedded.ts");
  const { withSandbox } = await import("../../../reference-server/sandbox/console/sandbox.ts");
  try {
    return await startReferenceServer({
      port,
      controlToken,
      mutate: withSandbox(simulation),
      ...(flags.host === undefined ? {} : { host: flags.host }),
      ...(flags.database === undefined ? {} : { database: flags.database }),
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new UsageError(`can't serve on port ${port} (${code}): give another --port, --host or --database`);
  }
}

/** An integrator whose webhooks go to the console's inbox, and pairing codes for its first restaurants. */
async function prepare(server: RunningServer, token: string, simulated: boolean): Promise<Ready> {
  const post = async (address: string, body: object): Promise<object> => {
    const response = await fetch(address, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    return Object(await response.json());
  };
  const integrators = `${server.url}/console/api/integrators`;
  const made = await post(integrators, { name: "First integrator", simulated });
  const client_id = String(Reflect.get(made, "client_id"));
  await post(`${integrators}/${client_id}/inbox`, {});
  const codes = [];
  for (const courier_company of ["Hızlı Kurye", "Hızlı Kurye"]) {
    const code = await post(`${server.controlUrl}/pairing-codes`, { courier_company });
    codes.push(String(Reflect.get(code, "pairing_code")));
  }
  return { client_id, client_secret: String(Reflect.get(made, "client_secret")), pairing_codes: codes };
}

function simulationWords(simulation: SimulatorOptions | null): string {
  if (simulation === null) return "move only by hand (--no-simulator)";
  const { speed, seed } = simulation;
  return `are simulated, ${speed} times as fast as real ones (--speed), with seed ${seed} (--seed)`;
}

/** Lines to paste into a shell: a token, a restaurant, a delivery. */
function firstSteps(url: string, { client_id, client_secret, pairing_codes }: Ready): string[] {
  const json = "-H 'Content-Type: application/json'";
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const grant = `{"grant_type":"client_credentials","client_id":"${client_id}","client_secret":"${client_secret}"}`;
  const store =
    `{"external_store_id":"moda","pairing_code":"${pairing_codes[0]}","name":"Moda Mutfak",` +
    `"address":{"text":"Moda Caddesi 12, Kadıköy","lat":40.9843,"lng":29.0256}}`;
  const delivery =
    `{"external_ref":"'$(date +%s)'","store":{"external_store_id":"moda"},` +
    `"customer":{"name":"Ayşe Yılmaz","phone":"0532 555 01 23"},` +
    `"dropoff":{"text":"Bağdat Caddesi 220, Kadıköy","lat":40.9702,"lng":29.0571},` +
    `"payment":{"type":"NAKIT","amount_due":245.5}}`;
  return [
    "To a first delivery: paste these lines one after the other, and watch it in the console.",
    `  TOKEN=$(curl -s ${url}/oauth/token ${json} -d '${grant}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `  curl -s ${url}/v1/stores ${bearer} ${json} -d '${store}'; echo`,
    `  curl -s ${url}/v1/deliveries ${bearer} ${json} -H "Idempotency-Key: $(date +%s)-first" -d '${delivery}'; echo`,
  ];
}
