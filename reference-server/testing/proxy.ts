/** A way to a service that can be cut and mended, for tests of what happens while the service is away. */
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
    const way = new CuttableProxy(new URL(address));
    await way.mend();
    return way;
  }

  /** The service's address by this way. */
  get url(): string {
    const url = new URL(this.#target);
    url.hostname = "127.0.0.1";
    url.port = String(this.#port);
    return url.href;
  }

  /** Breaks every connection and takes no more. */
  async cut(): Promise<void> {
    const closed = this.#server && once(this.#server, "close");
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#server = undefined;
  }

  async mend(): Promise<void> {
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
  /** A process that is just being started holds its parent's port until its program runs: it is asked for until it is free. */
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
