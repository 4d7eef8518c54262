/** What it takes to grade a webhook receiver, as its author does it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { runCommand } from "../commands.ts";
import { MOST_RUNS } from "../far-run.ts";
import type { BenchRow, BenchSettings } from "../row.ts";
import { spreadOf } from "../spread.ts";

const SECRET = `whsec_${Buffer.from("the key of the bench, of some length").toString("base64")}`;
const samples = new URL("../../../../examples/receivers/", import.meta.url);
const path = (file: string) => fileURLToPath(new URL(file, samples));
/** A part of the checks is INCOMPLETE. */
const accepted = [0, 2];

interface Receiver {
  readonly url: string;
  readonly effects: string;
  close(): Promise<void>;
}

/** Port by port what it says that it listens on. @throws where it ends before it has said both */
async function portsOf(child: ChildProcess): Promise<{ readonly effects: number; readonly events: number }> {
  if (child.stdout === null) throw new Error("its output is read");
  const [effects, events] = [/^effects .*?(\d+)\D*$/, /^listening .*?(\d+)\D*$/];
  const said: string[] = [];
  const portIn = (pattern: RegExp) =>
    Number(said.map((line) => pattern.exec(line)?.[1]).find((port) => port !== undefined));
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    const ports = { effects: portIn(effects), events: portIn(events) };
    if (ports.effects > 0 && ports.events > 0) return ports;
  }
  throw new Error(`the sample receiver has ended: ${said.join("\n")}`);
}

async function startSample(folder: string, round: number): Promise<Receiver> {
  const child = spawn(process.execPath, ["--import", path("effects.ts"), path("fastify.ts")], {
    env: {
      ...process.env,
      WEBHOOK_SECRET: SECRET,
      PORT: "0",
      EFFECTS_PORT: "0",
      EVENTS_DATABASE: join(folder, `events-${round}.sqlite`),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { effects, events } = await portsOf(child);
  return {
    url: `http://127.0.0.1:${events}/hooks`,
    effects: `http://127.0.0.1:${effects}`,
    async close() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function runOnce({ folder, scale }: BenchSettings, round: number): Promise<number> {
  const receiver = await startSample(folder, round);
  try {
    const some = scale < 1 ? ["--only", "signatures.genuine"] : [];
    const args = ["receiver", "--url", receiver.url, "--effects", receiver.effects, "--seed", "1", "--quiet"];
    const environment = { CONFORM_WEBHOOK_SECRET: SECRET };
    return (await runCommand(folder, [...args, ...some], { environment, accepted })).seconds;
  } finally {
    await receiver.close();
  }
}

export const receiverRow: BenchRow = {
  id: "receiver",
  how: "the command on the sample receiver with Fastify, a process of its own that keeps events in a file",
  async run(settings) {
    const seconds: number[] = [];
    for (let round = 0; round < Math.min(MOST_RUNS, settings.rounds); round += 1)
      seconds.push(await runOnce(settings, round));
    return [
      {
        title: "run on a receiver",
        unit: "s",
        spread: spreadOf(seconds),
        target: { is: "at most", value: 3 },
        detail: "with its effects, start of the command included",
      },
    ];
  },
};
