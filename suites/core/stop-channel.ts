import { BroadcastChannel } from "node:worker_threads";

/**
 * By which a run's thread hears that a person ends the run, whatever it is at: the test runner tells nobody but the tests
 * that run, and what comes after the last of them goes on for minutes where it waits.
 */
const NAME = "courier-conform: stop";

/** Tells every run of this process that it is to end. */
export function tellRunsToStop(): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage("stop");
  channel.close();
}

/** Calls back once, when a run is told to end. @returns ends the listening */
export function onStop(stop: () => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = stop;
  // It is to be heard as long as there is something to stop, and keeps nothing going.
  channel.unref();
  return () => channel.close();
}
