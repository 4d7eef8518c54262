/** A typical integrator's client, compiled against the package's types. It never runs. */
import type { Delivery, NewDelivery, paths } from "courier-conform/types";
import createClient, { type Middleware } from "openapi-fetch";

export class DispatchError extends Error {
  readonly code: string;
  readonly details: unknown;

  constructor({ error }: { error: { code: string; message: string; details?: unknown } }) {
    super(error.message);
    this.code = error.code;
    this.details = error.details;
  }
}

export class DispatchClient {
  readonly #api;

  constructor(baseUrl: string, token: () => Promise<string>) {
    const authorizing: Middleware = {
      async onRequest({ request }) {
        request.headers.set("authorization", `Bearer ${await token()}`);
      },
    };
    this.#api = createClient<paths>({ baseUrl });
    this.#api.use(authorizing);
  }

  async create(key: string, body: NewDelivery): Promise<Delivery> {
    const header = { "Idempotency-Key": key };
    const { data, error } = await this.#api.POST("/v1/deliveries", { params: { header }, body });
    if (error) {
      if (error.error.code === "HIZ_SINIRI") console.warn("slow down");
      throw new DispatchError(error);
    }
    return data;
  }

  /** The delivery's version after the change; undefined for a response without a body. */
  async readyAt(id: string, ready_at: string): Promise<number | undefined> {
    const change = { params: { path: { id } }, body: { ready_at } };
    const { data, error } = await this.#api.PATCH("/v1/deliveries/{id}", change);
    if (error) throw new DispatchError(error);
    return data?.version;
  }

  async cancel(id: string, reason: string): Promise<string | undefined> {
    const cancellation = { params: { path: { id } }, body: { reason } };
    const { data, error } = await this.#api.POST("/v1/deliveries/{id}/cancel", cancellation);
    if (error) throw new DispatchError(error);
    return data?.status;
  }

  async read(id: string): Promise<Delivery> {
    const { data, error } = await this.#api.GET("/v1/deliveries/{id}", { params: { path: { id } } });
    if (error) throw new DispatchError(error);
    return data;
  }
}
