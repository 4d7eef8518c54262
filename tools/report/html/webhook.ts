import {
  isCorrect,
  signatureRemark,
  webhookTimes,
} from "../../../suites/core/grading/failures/webhook-text.ts";
import type { ReportedWebhook } from "../../../suites/core/grading/outcome.ts";
import { type Content, html, type Markup } from "../template.ts";
import { message } from "./exchange.ts";

function signatureOf({ signature }: ReportedWebhook): Content {
  if (!signature) return undefined;
  const { signed_text, expected, received } = signature;
  const sign = isCorrect(signature) ? "✓" : "✗";
  return html`<table class="signature"><tbody><tr><th scope="row">Expected</th><td><code>${expected}</code></td></tr><tr><th scope="row">Received</th><td><code>${received}</code></td></tr><tr><th scope="row">Which</th><td><span aria-hidden="true">${sign}</span> ${signatureRemark(signature)}</td></tr></tbody></table>
<details><summary>The signed text</summary><pre>${signed_text}</pre></details>`;
}

function webhookOf(webhook: ReportedWebhook, open: boolean): Markup {
  const { event, method, url, headers, body } = webhook;
  return html`<details class="exchange"${open ? html` open` : undefined}>
<summary>${event}</summary>
<p class="small">${webhookTimes(webhook)}</p>
${signatureOf(webhook)}
<pre>${message(`${method} ${url}`, headers, body)}</pre>
</details>`;
}

/** The webhooks of a failure. The last one is decisive, so it is open. */
export const webhooks = (all: readonly ReportedWebhook[] | undefined): Content =>
  all?.map((webhook, index) => webhookOf(webhook, index === all.length - 1));
