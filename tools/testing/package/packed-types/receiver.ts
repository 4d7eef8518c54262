/** A typical integrator's receiver, compiled against the package's types. It never runs. */
import { createServer } from "node:http";
import type { Delivery, WebhookEvent, WebhookEventOf } from "courier-conform/types";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? "");
const versions = new Map<string, number>();
const seen = new Set<string>();

function isNewer({ id, version }: Delivery): boolean {
  if ((versions.get(id) ?? 0) >= version) return false;
  versions.set(id, version);
  return true;
}

function located({ data: { courier } }: WebhookEventOf<"delivery.courier_location">): string {
  return `${courier?.name ?? "somebody"} is at ${courier?.lat}, ${courier?.lng}`;
}

export function take(event: WebhookEvent): string {
  switch (event.type) {
    case "webhook.test": {
      const nothing: null = event.data;
      return `tested: ${nothing}`;
    }
    case "delivery.courier_location":
      return located(event);
    case "delivery.delivered":
      return isNewer(event.data) ? `${event.data.external_ref} is there` : "old news";
    case "delivery.failed":
    case "delivery.cancelled":
      return `${event.data.external_ref} ended as ${event.data.status}`;
    default:
      return isNewer(event.data) ? event.data.status : "old news";
  }
}

// @ts-expect-error: there is no such event type
export const unknown: WebhookEvent["type"] = "delivery.teleported";
// @ts-expect-error: a trial has no delivery
export const versionOfTrial = (event: WebhookEventOf<"webhook.test">): number => event.data.version;

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("utf8");
  const id = String(request.headers["webhook-id"]);
  try {
    webhook.verify(body, {
      "webhook-id": id,
      "webhook-timestamp": String(request.headers["webhook-timestamp"]),
      "webhook-signature": String(request.headers["webhook-signature"]),
    });
  } catch {
    return response.writeHead(401).end();
  }
  if (!seen.has(id)) console.log(take(JSON.parse(body)));
  seen.add(id);
  return response.writeHead(204).end();
}).listen(3000);
