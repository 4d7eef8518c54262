import { shellQuote } from "../../../suites/core/exchange.ts";
import { keyOf, signatureOf } from "../../../suites/core/signing/webhook-signing.ts";
import type { Output } from "../../terminal/output.ts";
import type { SignSettings } from "./settings.ts";

/** Prints the webhook's headers. With --url, prints the curl command that sends the webhook. */
export function sign({ body, id, secret, at, url }: SignSettings, output: Output): void {
  const timestamp = String(Math.floor(at / 1000));
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatureOf(keyOf(secret), { id, timestamp, body }),
  };
  output.data({ headers, body: body.toString("utf8"), body_base64: body.toString("base64") });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const headerArguments = lines.map((line) => `-H ${shellQuote(line)}`);
  const data = shellQuote(body.toString("utf8"));
  output.result(
    url === undefined
      ? lines.join("\n")
      : ["curl", shellQuote(url), ...headerArguments, "--data-raw", data].join(" "),
  );
}
