import type { ReportedWebhook } from "../outcome.ts";

/** The expected time of a webhook, its timestamp and its arrival, in one line. */
export function webhookTimes({ attempt, due, dated, came }: ReportedWebhook): string {
  return [
    `attempt ${attempt}`,
    ...(due === undefined ? [] : [`expected ${due}`]),
    ...(dated === undefined ? [] : [`timestamp ${dated}`]),
    `received ${came} on this machine's clock`,
  ].join("; ");
}

/** A remark on the signature. Undefined if nothing is known. */
export function signatureRemark(signature: ReportedWebhook["signature"]): string | undefined {
  if (signature === undefined) return undefined;
  const { fits, made, fix } = signature;
  if (made === undefined) return fits ? "fits" : "no known mistake explains it";
  return `${fits ? "its digest fits, but " : ""}it is ${made} (${fix})`;
}

/** True if the signature has the expected key, text and form. */
export const isCorrect = ({ fits, made }: NonNullable<ReportedWebhook["signature"]>): boolean =>
  fits && made === undefined;

/** A webhook as plain text, of its body only the incorrect member. */
export function webhookText(webhook: ReportedWebhook): readonly string[] {
  const { event, signature, blamed } = webhook;
  const remark = signatureRemark(signature);
  return [
    event,
    webhookTimes(webhook),
    ...(blamed ? [`${blamed.path} in the webhook:`, blamed.around] : []),
    ...(signature && !isCorrect(signature)
      ? [
          `signed text: ${signature.signed_text}`,
          `expected signature: ${signature.expected}`,
          `received signature: ${signature.received}${remark === undefined ? "" : `: ${remark}`}`,
        ]
      : []),
  ];
}
