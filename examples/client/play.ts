/**
 * A short example of a point of sale: links a restaurant, creates deliveries and catches up.
 * `npm run client -- -- node examples/client/play.ts`
 */
import { randomUUID } from "node:crypto";
import { DispatchClient, type NewDelivery, ServiceError } from "./dispatch-client.ts";

const {
  BASE_URL = "",
  CLIENT_ID = "",
  CLIENT_SECRET = "",
  PAIRING_CODE = "",
  TIME_SCALE = "1",
} = process.env;
const ORDERS = 20;
const READY_IN_MS = 20 * 60_000;
const STORE = "example-1";

const client = new DispatchClient({
  baseUrl: BASE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  timeScale: Number(TIME_SCALE),
});

/** Every fifth customer's address could not be found on the map, so it has no coordinates. */
const anOrder = (number: number): NewDelivery => ({
  external_ref: `order-${number}`,
  store: { external_store_id: STORE },
  customer: { name: `Müşteri ${number}`, phone: "05321234567" },
  dropoff: { text: `Moda Caddesi ${number}, Kadıköy`, ...(number % 5 > 0 && { lat: 41.0092, lng: 28.9794 }) },
  payment: { type: "NAKIT", amount_due: 249.9 },
  items: [{ name: "Mercimek çorbası", quantity: 1.5, total: 249.9 }],
  ready_at: new Date(Date.now() + READY_IN_MS).toISOString(),
});

await client.api.POST("/v1/stores", {
  body: {
    external_store_id: STORE,
    pairing_code: PAIRING_CODE,
    name: "Moda Mutfak",
    address: { text: "Moda Caddesi 10, Kadıköy", lat: 41.0082, lng: 28.9784 },
  },
});

for (let number = 1; number <= ORDERS; number += 1) {
  const key = randomUUID();
  await client.createDelivery(anOrder(number), key).catch((error: unknown) => {
    // Staff must handle a refused order. Continue with the next order.
    if (!(error instanceof ServiceError)) throw error;
    process.stdout.write(`order-${number}: ${error.message}\n`);
  });
}

let cursor: string | undefined;
let seen = 0;
const changes = client.catchUp({
  read: async () => cursor,
  write: async (next) => {
    cursor = next;
  },
});
for await (const _ of changes) seen += 1;
process.stdout.write(`${seen} changes read\n`);
