/** The whole conformance run, as its users run it. */
import { join } from "node:path";
import { runCommand } from "../commands.ts";
import { startServer } from "../processes.ts";
import { type BenchRow, type BenchSettings, type Figure, scaled } from "../row.ts";
import { spreadOf } from "../spread.ts";

const requestsIn = (text: string) => Number(/(\d+) requests/.exec(text)?.[1] ?? 0);

/** A part of the checks, where it only has to run. */
const selection = ({ scale }: BenchSettings) => (scale < 1 ? ["--only", "health.*"] : []);
/** A part of the checks is INCOMPLETE. */
const accepted = [0, 2];

async function run(settings: BenchSettings): Promise<readonly Figure[]> {
  const args = ["conform", "--seed", "1", "--quiet", ...selection(settings)];
  // All that was sent and came is kept until the report is written.
  const kept = ["--report", join(settings.folder, "report"), "--wire", "on"];
  const seconds: number[] = [];
  const shares: number[] = [];
  const megabytes: number[] = [];
  const megabytesApart: number[] = [];
  let requests = 0;
  for (let round = 0; round < Math.min(3, settings.rounds); round++) {
    const whole = await runCommand(settings.folder, args, { accepted });
    seconds.push(whole.seconds);
    requests = requestsIn(whole.stdout);
    megabytes.push((await runCommand(settings.folder, [...args, ...kept], { accepted })).mostMegabytes);
    // Apart from its target, what the suite's process computes is the suite's share; it waits for the rest.
    const server = await startServer("reference", ":memory:");
    try {
      const target = ["--url", server.url, "--control-url", server.controlUrl];
      const environment = { CONFORM_CONTROL_TOKEN: server.controlToken };
      const command = [...args, ...target, ...kept];
      const apart = await runCommand(settings.folder, command, { environment, accepted });
      megabytesApart.push(apart.mostMegabytes);
      shares.push(apart.cpuSeconds / apart.seconds);
    } finally {
      await server.close();
    }
  }
  return [
    {
      title: "full conformance run",
      unit: "s",
      spread: spreadOf(seconds),
      target: { is: "at most", value: 5 },
      detail: `${requests} requests, start of the command included`,
    },
    {
      title: "its share of computing",
      unit: "of wall time",
      spread: spreadOf(shares),
      target: { is: "under", value: 0.25 },
      detail: "processor time of the suite's process; it waits for its target the rest of the time",
    },
    {
      title: "memory of a run",
      unit: "MB",
      spread: spreadOf(megabytes),
      target: { is: "at most", value: 300 },
      detail: `the most that was resident, with the embedded server, the exchanges of all checks kept for the report; ${Math.round(spreadOf(megabytesApart).median)} MB where the server is another process`,
    },
  ];
}

export const conformRow: BenchRow = {
  id: "conform",
  how: "the command as a process, on the embedded server for the time, on a server in another process for the share",
  run,
};

export const startRow: BenchRow = {
  id: "start",
  how: "the reference server as a process of its own, from its start until GET /healthz is answered; then the memory that it holds",
  async run(settings) {
    const milliseconds: number[] = [];
    const megabytes: number[] = [];
    for (let round = 0; round < scaled({ scale: Math.min(1, settings.scale) }, settings.rounds); round++) {
      const begin = performance.now();
      const server = await startServer("reference", ":memory:");
      try {
        await (await fetch(`${server.url}/healthz`)).text();
        milliseconds.push(performance.now() - begin);
        megabytes.push((await server.usage()).rssBytes / 1e6);
      } finally {
        await server.close();
      }
    }
    return [
      {
        title: "start to first answer",
        unit: "ms",
        spread: spreadOf(milliseconds),
        target: { is: "under", value: 700 },
        detail: "with the start of Node",
      },
      {
        title: "memory after it",
        unit: "MB",
        spread: spreadOf(megabytes),
        target: { is: "under", value: 150 },
        detail: "resident set",
      },
    ];
  },
};
