/**
 * Adds the sandbox to a server: the console, the webhook inbox, and simulated couriers. The sandbox only
 * replaces dependencies of the service. Simulated couriers accept only deliveries of integrators with that setting, so
 * a conformance run on the same server isn't affected.
 */
import { afterCommit } from "../reference-server/database/transaction.ts";
import type { Dependencies, Extension } from "../reference-server/dependencies.ts";
import { withInbox } from "./console/inbox.ts";
import { recordRequests } from "./console/recording.ts";
import { addConsoleApi, consoleApiPath } from "./console/routes.ts";
import type { SignInLink } from "./console/sign-in-link.ts";
import { addDocuments } from "./documents/documents.ts";
import type { FaultSwitch } from "./faults/fault-switch.ts";
import { addFaults } from "./faults/hooks.ts";
import { addOperatorRoutes, operatorPath } from "./operator/routes.ts";
import { addConsolePages, addTrackingPages } from "./pages/pages.ts";
import { attemptLog } from "./records/attempt-log.ts";
import { type AnsweredRequest, RequestLog } from "./records/request-log.ts";
import { sandboxRecords } from "./records/sandbox.ts";
import type { SimulatorOptions } from "./simulator/options.ts";
import { Simulator } from "./simulator/simulator.ts";
import type { Sandbox } from "./state.ts";

interface SandboxOptions {
  /** The link that signs in to the console. */
  readonly signInLink?: SignInLink;
  /** The integrator that the sandbox starts with. */
  readonly firstClientId?: string;
  /** Called after the response to each request to the service. */
  readonly reportRequest?: (request: AnsweredRequest) => void;
  /** Fault injection, including `Prefer`; undefined for none. */
  readonly faults?: FaultSwitch;
}

/** The dependencies of a sandbox. If `simulation` is null, only users move couriers. */
export function withSandbox(
  simulation: SimulatorOptions | null,
  { signInLink, firstClientId, reportRequest, faults }: SandboxOptions = {},
): (deps: Dependencies) => Dependencies {
  return (deps) => {
    const simulator = simulation === null ? null : new Simulator(simulation);
    const sandbox: Sandbox = {
      simulator,
      requests: new RequestLog(reportRequest),
      signIn: (key) => signInLink?.redeem(deps, key),
      firstClientId,
      faults,
    };
    const served: Dependencies = {
      ...deps,
      extensions: [...deps.extensions, extensionOf(sandbox)],
      attemptLog,
      transport: withInbox(deps.transport),
      async emit(all, tx, delivery, kind) {
        await deps.emit(all, tx, delivery, kind);
        await sandboxRecords.keepPosition(tx, delivery);
        if (simulator !== null) afterCommit(tx, () => simulator.deliveryChanged(all, delivery.id, kind));
      },
    };
    return simulator === null ? served : withSimulator(served, simulator);
  };
}

/** The tracking page. With a control token, also the console and the operator routes. */
function extensionOf(sandbox: Sandbox): Extension {
  return {
    addRoutes(app, deps) {
      addTrackingPages(app);
      addDocuments(app, deps);
      const { controlTokenHash } = deps;
      if (controlTokenHash === null) return;
      addConsolePages(app);
      app.register(async (api) => addConsoleApi(api, deps, sandbox, controlTokenHash), {
        prefix: consoleApiPath,
      });
      app.register(async (scope) => addOperatorRoutes(scope, deps, sandbox, controlTokenHash), {
        prefix: operatorPath,
      });
    },
    addHooks(service, deps) {
      if (deps.controlTokenHash !== null) recordRequests(service, deps, sandbox.requests);
      if (sandbox.faults !== undefined) addFaults(service, deps, sandbox.faults);
    },
  };
}

function withSimulator(deps: Dependencies, simulator: Simulator): Dependencies {
  const { alarm, courier } = deps;
  return {
    ...deps,
    dueWork: [...deps.dueWork, simulator.work],
    alarm: {
      ...alarm,
      start(all) {
        alarm.start(all);
        simulator.start(all);
      },
      wake() {
        alarm.wake();
        simulator.wake();
      },
      async stop() {
        await simulator.stop();
        await alarm.stop();
      },
    },
    courier: {
      ...courier,
      // At 60 times the speed, couriers arrive in a sixtieth of the time.
      estimates(all, before, move, at) {
        const estimates = courier.estimates(all, before, move, at);
        if (!simulator.isDriving(before.id)) return estimates;
        const sooner = (time: number | null) => time && Math.round(at + (time - at) / simulator.speed);
        return Object.fromEntries(Object.entries(estimates).map(([name, time]) => [name, sooner(time)]));
      },
    },
  };
}
