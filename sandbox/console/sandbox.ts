/**
 * Makes a sandbox of a server: the console with what it shows, the webhook inbox, and couriers that drive by themselves.
 *
 * All of it hangs on parts, so a server without it is the service and nothing else. Simulated couriers take deliveries
 * only of integrators that were given some, so that a conformance run on the same server isn't disturbed.
 */
import { afterCommit } from "../../reference-server/database/transaction.ts";
import { attemptLog } from "../../reference-server/dispatcher/attempt-log.ts";
import type { SimulatorOptions } from "../../reference-server/domain/simulator-options.ts";
import type { Parts } from "../../reference-server/parts.ts";
import { RequestLog } from "../../reference-server/records/request-log.ts";
import { Simulator } from "../simulator/simulator.ts";
import { withInbox } from "./inbox.ts";

/** From parts to parts; without options nobody simulates. */
export function withSandbox(options: SimulatorOptions | null): (parts: Parts) => Parts {
  return (parts) => {
    const simulator = options === null ? null : new Simulator(options);
    const sandbox: Parts = {
      ...parts,
      sandbox: { simulator, requests: new RequestLog() },
      attemptLog,
      transport: withInbox(parts.transport),
      async emit(all, tx, delivery, kind) {
        await parts.emit(all, tx, delivery, kind);
        await all.records.sandbox.keepPosition(tx, delivery);
        if (simulator !== null) afterCommit(tx, () => simulator.deliveryChanged(all, delivery.id, kind));
      },
    };
    return simulator === null ? sandbox : withSimulator(sandbox, simulator);
  };
}

function withSimulator(parts: Parts, simulator: Simulator): Parts {
  const { alarm, courier } = parts;
  return {
    ...parts,
    dueWork: [...parts.dueWork, simulator.work],
    alarm: {
      ...alarm,
      start(all) {
        alarm.start(all);
        simulator.start(all);
      },
      wake(all) {
        alarm.wake(all);
        simulator.wake(all);
      },
      async stop() {
        await simulator.stop();
        await alarm.stop();
      },
    },
    courier: {
      ...courier,
      // Couriers that are 60 times as fast are there 60 times as soon.
      estimates(all, before, move, at) {
        const estimates = courier.estimates(all, before, move, at);
        if (!simulator.isDriving(before.id)) return estimates;
        const sooner = (time: number | null) => time && Math.round(at + (time - at) / simulator.speed);
        return Object.fromEntries(Object.entries(estimates).map(([name, time]) => [name, sooner(time)]));
      },
    },
  };
}
