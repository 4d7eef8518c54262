import { UnusableDatabase } from "../../../reference-server/database/unusable.ts";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import type { RunningServer } from "../../../reference-server/embedded.ts";
import type { Advice } from "../../../sandbox/operator/advice.ts";
import type { FirstIntegrator } from "../../../sandbox/operator/first-integrator.ts";
import type { SimulatorOptions } from "../../../sandbox/simulator/options.ts";
import { phrases } from "../../../sandbox/simulator/scripts.ts";
import { commandWith } from "../../../suites/core/command-line.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { sandboxLog } from "./sandbox-log.ts";
import type { ServeSettings } from "./settings.ts";

const LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: "something listens there already",
  EADDRNOTAVAIL: "this machine doesn't have that address",
  EACCES: "permission denied",
  ENOTFOUND: "there is no such host",
};

/** Why a sandbox didn't start, in one line, for problems that the user can fix. Returns other errors unchanged. */
function couldNotStart(error: unknown, { port, host, database }: ServeSettings): unknown {
  if (error instanceof UnusableDatabase) {
    return new UsageError(`can't use the database ${database}: ${error.message}`);
  }
  if (!(error instanceof Error) || !("code" in error)) return error;
  const code = String(error.code);
  const listens = "syscall" in error && /^(listen|bind|getaddrinfo)$/.test(String(error.syscall));
  if (listens) {
    const where = host === undefined ? `port ${port}` : `${host}, port ${port}`;
    return new UsageError(
      `can't serve on ${where}: ${LISTENING[code] ?? code} (${code}); give another --port or --host`,
    );
  }
  if (database !== undefined) {
    return new UsageError(`can't use the database ${database}: ${error.message} (give another --database)`);
  }
  return error;
}

/**
 * Shell lines that get a token, link a store and create a delivery.
 * @param isSecretGiven true to read the client secret from CLIENT_SECRET, because the user chose it
 */
function firstSteps(url: string, first: FirstIntegrator, isSecretGiven: boolean): string[] {
  const { client_id, client_secret, pairing_codes } = first;
  const json = "-H 'Content-Type: application/json'";
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const secret = isSecretGiven ? `'"$CLIENT_SECRET"'` : client_secret;
  const grant = `{"grant_type":"client_credentials","client_id":"${client_id}","client_secret":"${secret}"}`;
  const store =
    `{"external_store_id":"moda","pairing_code":"${pairing_codes[0]}","name":"Moda Mutfak",` +
    `"address":{"text":"Moda Caddesi 12, Kadıköy","lat":40.9843,"lng":29.0256}}`;
  const delivery =
    `{"external_ref":"'$(date +%s)'","store":{"external_store_id":"moda"},` +
    `"customer":{"name":"Ayşe Yılmaz","phone":"0532 555 01 23"},` +
    `"dropoff":{"text":"Bağdat Caddesi 220, Kadıköy","lat":40.9702,"lng":29.0571},` +
    `"payment":{"type":"NAKIT","amount_due":245.5}}`;
  return [
    `  TOKEN=$(curl -s ${url}/oauth/token ${json} -d '${grant}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `  curl -s ${url}/v1/stores ${bearer} ${json} -d '${store}'; echo`,
    `  curl -s ${url}/v1/deliveries ${bearer} ${json} -H "Idempotency-Key: $(date +%s)-first" -d '${delivery}'; echo`,
  ];
}

function adviceLine(advice: Advice): string {
  switch (advice.about) {
    case "script": {
      const known = Object.values(phrases).map(([english]) => english);
      return `note: ${advice.externalRef} asks for "sim: ${advice.phrase}", which is unknown, so it is simulated as an ordinary delivery. Known: ${known.join(", ")}`;
    }
    case "certificate": {
      const { origin, fault, ca } = advice;
      const own = ca === undefined ? "" : `, and ${ca}, which trustReceiver added`;
      return `note: webhooks to ${origin} fail: the CA of its certificate isn't trusted (${fault}). The sandbox trusts this machine's CAs${own}. trustReceiver { origin, ca_pem } adds a CA for this origin, NODE_EXTRA_CA_CERTS for all`;
    }
    case "private address":
      return `note: webhooks to ${advice.origin} fail: its name resolves to a private address. For a receiver on this machine, use --forward-to; to allow this origin, use trustReceiver { origin }`;
  }
}

interface Sandbox {
  readonly server: RunningServer;
  readonly controlToken: string;
  readonly first: FirstIntegrator;
  /** The secret that signs forwarded events; undefined if no events are forwarded. */
  readonly secret: string | undefined;
  /** A link to the console that signs the user in, once; undefined if it would appear in a log. */
  readonly consoleLink: string | undefined;
}

/**
 * Serves a sandbox until it is interrupted: the reference server with simulated couriers and a console.
 * Prints the first steps, the command to certify the sandbox, and the responses to forwarded events.
 * @returns the exit code
 */
export async function serve(
  settings: ServeSettings,
  output: Output,
  interrupted: Promise<void>,
): Promise<number> {
  const sandbox = await start(settings, output);
  try {
    const { server, controlToken, first, secret, consoleLink } = sandbox;
    const url = settings.publicUrl ?? server.url;
    const controlUrl = `${url}${new URL(server.controlUrl).pathname}`;
    output.data({
      url,
      control_url: controlUrl,
      console_url: `${url}/console`,
      console_link: consoleLink ?? null,
      control_token: controlToken,
      simulator: settings.simulation,
      forwarding: settings.forwarding === undefined ? null : { urls: settings.forwarding.urls, secret },
      ...first,
    });
    output.result(welcome(settings, sandbox, url, controlUrl).join("\n"));
    await interrupted;
  } finally {
    await sandbox.server.close();
  }
  return 0;
}

async function start(settings: ServeSettings, output: Output): Promise<Sandbox> {
  const { startReferenceServer, webhookKeyFor } = await import("../../../reference-server/embedded.ts");
  const { defaultLocation } = await import("../../../reference-server/database/open.ts");
  const { withSandbox } = await import("../../../sandbox/sandbox.ts");
  const operator = await import("../../../sandbox/operator/first-integrator.ts");
  const { Forwarding } = await import("../../../sandbox/operator/forwarding.ts");
  const { withAdvice } = await import("../../../sandbox/operator/advice.ts");
  const { SignInLink } = await import("../../../sandbox/console/sign-in-link.ts");
  const { port, simulation, couriers, publicUrl, pairingCodes } = settings;
  const { withAttemptReports } = await import("../../../sandbox/operator/attempt-reports.ts");
  const { FaultSwitch } = await import("../../../sandbox/faults/fault-switch.ts");
  const forwarding = new Forwarding(settings.forwarding);
  const log = sandboxLog(settings, (line) => output.line(line));
  let deps: Dependencies | undefined;
  let consoleLink = (): string | undefined => undefined;
  try {
    const webhookKey = webhookKeyFor(settings.database ?? defaultLocation);
    const made = operator.credentialsFrom(webhookKey);
    const credentials = {
      client_id: settings.clientId ?? made.client_id,
      client_secret: settings.clientSecret ?? made.client_secret,
    };
    const controlToken = settings.controlToken ?? operator.controlTokenFrom(webhookKey);
    const signIn = new SignInLink(controlToken, () => {
      output.line(`The console link was used. A new link: ${consoleLink()}`);
    });
    const server = await startReferenceServer({
      port,
      controlToken,
      webhookKey,
      mutate(original) {
        const { storeDefaults } = original;
        const staffed: Dependencies = {
          ...original,
          storeDefaults: { ...storeDefaults, couriers_on_shift: couriers ?? storeDefaults.couriers_on_shift },
        };
        const plain = withSandbox(simulation, {
          signInLink: signIn,
          firstClientId: credentials.client_id,
          reportRequest: log.request,
          faults: new FaultSwitch(settings.faults),
        })(staffed);
        const sandbox = withAdvice((advice) => output.line(adviceLine(advice)))(plain);
        const reporting = withAttemptReports(log.attempt)(sandbox);
        deps = forwarding.mutate(reporting);
        return deps;
      },
      ...(publicUrl === undefined ? {} : { publicUrl }),
      ...(settings.host === undefined ? {} : { host: settings.host }),
      ...(settings.database === undefined ? {} : { database: settings.database }),
    });
    if (deps === undefined) throw new Error("a server started without its dependencies");
    const ready = deps;
    // A control token given by the user may only be shown on a terminal, not in a log.
    const isShown = settings.controlToken === undefined || output.interactive;
    if (isShown) consoleLink = () => signIn.at(ready, `${publicUrl ?? server.url}/console`);
    const first = await operator.prepareFirstIntegrator(deps, {
      credentials,
      codeAt: (index) =>
        pairingCodes[index] ?? operator.pairingCodeFrom(webhookKey, index - pairingCodes.length),
      isSimulated: simulation !== null,
      hasInbox: settings.forwarding === undefined,
    });
    const secret = await forwarding.prepare(deps, credentials.client_id);
    return { server, controlToken, first, secret, consoleLink: consoleLink() };
  } catch (error) {
    throw couldNotStart(error, settings);
  }
}

function welcome(
  settings: ServeSettings,
  { controlToken, first, secret, consoleLink }: Sandbox,
  url: string,
  controlUrl: string,
): string[] {
  const { forwarding, database } = settings;
  const { latencyMs, errorRate } = settings.faults;
  const used = first.used_pairing_codes;
  return [
    `The sandbox listens on ${url}, its control interface on ${controlUrl}.`,
    "",
    consoleLink === undefined
      ? `  Console        ${url}/console`
      : `  Console        ${consoleLink}   (signs in, once)`,
    `  Control token  ${settings.controlToken === undefined ? controlToken : "as in CONTROL_TOKEN"}`,
    `  client_id      ${first.client_id}`,
    `  client_secret  ${settings.clientSecret === undefined ? first.client_secret : "as in CLIENT_SECRET"}`,
    `  Pairing codes  ${first.pairing_codes.join("   ")}${used.length === 0 ? "" : `   (used: ${used.join(", ")})`}`,
    `  Couriers       ${simulationWords(settings.simulation)}`,
    ...(latencyMs + errorRate === 0
      ? []
      : [`  Faults         ${latencyMs} ms delay, ${Number((errorRate * 100).toFixed(2))}% errors (500)`]),
    ...(database === undefined ? [] : [`  Stored in      ${database}, including credentials and codes`]),
    ...(forwarding === undefined
      ? []
      : [
          `  Events go to   ${forwarding.urls.join("   ")}`,
          `  signed with    ${secretWords(settings, secret)}`,
        ]),
    "",
    "Create a first delivery with these three lines, and follow it in the console:",
    ...firstSteps(url, first, settings.clientSecret !== undefined),
    "",
    "Trigger events from another terminal (--list shows which), and certify the sandbox:",
    `  CONTROL_TOKEN=… ${commandWith("trigger", "delivery.failed")}${url === "http://127.0.0.1:8080" ? "" : ` --control-url ${controlUrl}`}`,
    `  CONFORM_CONTROL_TOKEN=… ${commandWith("conform")} --url ${url} --control-url ${controlUrl}`,
    "Ctrl-C stops it.",
  ];
}

const secretWords = ({ forwarding }: ServeSettings, secret: string | undefined): string =>
  forwarding?.secret === undefined ? (secret ?? "") : "the given secret";

function simulationWords(simulation: SimulatorOptions | null): string {
  if (simulation === null) return "move only by hand (--no-simulator)";
  const { speed, seed } = simulation;
  return `are simulated, ${speed} times as fast as real ones (--speed), with seed ${seed} (--seed)`;
}
