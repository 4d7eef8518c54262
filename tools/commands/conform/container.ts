import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import type { Readable } from "node:stream";
import { textOf } from "../../../suites/core/json.ts";
import { LOOPBACK_RECEIVER } from "../../../suites/server/session/sample-data/settings.ts";
import type { ReceiverSettings } from "../../../suites/server/session/webhook-receiver/receiver.ts";
import { UsageError } from "../../usage-error.ts";
import type { ImageSettings } from "./image-settings.ts";

/** The name that containers use for this machine if the container engine runs in a virtual machine. */
const HOST_NAME = "host.docker.internal";
const SHOWN_LOG_LINES = 5;

interface StartedImage {
  readonly url: string;
  /** The webhook receiver on this machine, with the URL that the container uses. */
  readonly receiver: ReceiverSettings;
  log(): string;
  stop(): Promise<void>;
}

const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : textOf(error)).split("\n")[0] ?? "";

const usageError = (message: string) => (): never => {
  throw new UsageError(message);
};

/** @throws UsageError unless the image exposes exactly one port */
function onlyPort(exposed: readonly string[], name: string): number {
  const ports = exposed.map((port) => Number.parseInt(port, 10));
  const [first] = ports;
  if (first !== undefined && ports.length === 1) return first;
  throw new UsageError(
    `--image ${name} exposes ${ports.length === 0 ? "no port" : `the ports ${ports.join(", ")}`}: set image.port in conform.yaml`,
  );
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

/** On Linux a container's gateway is this machine. Elsewhere the engine runs in a virtual machine. */
async function receiverAt(gateway: string): Promise<ReceiverSettings> {
  const ownAddresses = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  if (ownAddresses.some(({ address }) => address === gateway))
    return { ...LOOPBACK_RECEIVER, bind: `${gateway}:0` };
  const port = await freePort();
  return { ...LOOPBACK_RECEIVER, bind: `127.0.0.1:${port}`, publicUrl: `https://${HOST_NAME}:${port}` };
}

/**
 * Starts a container of the image, and waits for its health check.
 * @throws UsageError without Testcontainers, a container engine or the image, or if the service doesn't start
 */
export async function startImage(settings: ImageSettings): Promise<StartedImage> {
  const { name, environment, startupMs } = settings;
  const { GenericContainer, getContainerRuntimeClient, ImageName, Wait } = await import(
    "testcontainers"
  ).catch(usageError("--image needs the package testcontainers: npm install --save-dev testcontainers@12"));
  const { container: containers, image: images } = await getContainerRuntimeClient().catch(
    usageError("--image needs a container engine, and none responds: start Docker, or set DOCKER_HOST"),
  );
  const image = ImageName.fromString(name);
  if (!(await images.exists(image))) {
    await images.pull(image).catch((error: unknown) => {
      throw new UsageError(`--image ${name} isn't on this machine and can't be pulled (${reason(error)})`);
    });
  }
  const { Config } = await images.inspect(image);
  const port = settings.port ?? onlyPort(Object.keys(Config.ExposedPorts ?? {}), name);
  const log: string[] = [];
  const label = { "courier-conform.run": randomUUID() };
  /** Removes the container, because Testcontainers doesn't remove a container that failed to start. */
  const removeContainer = async () => {
    const filters = { label: Object.entries(label).map((pair) => pair.join("=")) };
    const left = await containers.dockerode.listContainers({ all: true, filters });
    for (const { Id } of left) await containers.dockerode.getContainer(Id).remove({ force: true, v: true });
  };
  const started = await new GenericContainer(name)
    .withExposedPorts(port)
    .withEnvironment({ ...environment })
    .withLabels(label)
    .withExtraHosts([{ host: HOST_NAME, ipAddress: "host-gateway" }])
    .withLogConsumer((stream: Readable) => stream.on("data", (chunk: Buffer) => log.push(chunk.toString())))
    .withWaitStrategy(Wait.forHttp("/healthz", port).forStatusCode(200))
    .withStartupTimeout(startupMs)
    .start()
    .catch(async (error: unknown) => {
      await removeContainer();
      const last = log.join("").trim().split("\n").slice(-SHOWN_LOG_LINES).join(" | ");
      throw new UsageError(
        `--image ${name} doesn't answer GET /healthz on port ${port} within ${startupMs / 1000} s (${reason(error)})${last && `; its log ends: ${last}`}`,
      );
    });
  const { NetworkSettings } = await containers.inspect(containers.getById(started.getId()));
  const [network] = Object.values(NetworkSettings.Networks);
  return {
    url: `http://${started.getHost()}:${started.getMappedPort(port)}`,
    receiver: await receiverAt(network?.Gateway ?? ""),
    log: () => log.join(""),
    // Not `started.stop()`, which makes several calls. The engine completes one call even if this process exits.
    stop: () => containers.dockerode.getContainer(started.getId()).remove({ force: true, v: true }),
  };
}
