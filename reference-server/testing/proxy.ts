/** A TCP proxy that can be cut and restored, for tests of service outages. */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export class CuttableProxy {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  private constructor(target: URL) {
    this.#target = target;
  }

  static async to(address: string): Promise<CuttableProxy> {
    const proxy = new CuttableProxy(new URL(address));
    await proxy.fix();
    return proxy;
  }

  /** The service's URL through the proxy. */
  get url(): string {
    const url = new URL(this.#target);
    url.hostname = "127.0.0.1";
    url.port = String(this.#port);
    return url.href;
  }

  /** Closes every connection and accepts no more. */
  async cut(): Promise<void> {
    const closed = this.#server && once(this.#server, "close");
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#server = undefined;
  }

  async fix(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(Number(this.#target.port), this.#target.hostname);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => {});
        socket.once("close", () => this.#sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
    await this.#listen(server);
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("not listening");
    this.#port = address.port;
    this.#server = server;
  }
  /** Retries until the port is free: a new child process may still hold it. */
  async #listen(server: Server): Promise<void> {
    for (;;) {
      server.listen(this.#port, "127.0.0.1");
      try {
        return void (await once(server, "listening"));
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
        await pause(5);
      }
    }
  }
}
