import type { ReportedWebhook } from "./outcome.ts";

/** When a webhook was due, when its sender says that it was sent, and when it came; in a line. */
export function webhookTimes({ attempt, due, dated, came }: ReportedWebhook): string {
  return [
    `attempt ${attempt}`,
    ...(due === undefined ? [] : [`due ${due}`]),
    ...(dated === undefined ? [] : [`dated ${dated}`]),
    `came ${came} on this machine's clock`,
  ].join("; ");
}

/** What is to be said of its signature beside what it is; undefined where nothing is known. */
export function signatureRemark(signature: ReportedWebhook["signature"]): string | undefined {
  if (signature === undefined) return undefined;
  const { fits, made, fix } = signature;
  if (made === undefined) return fits ? "fits" : "no usual mistake makes it";
  return `${fits ? "its digest fits, but " : ""}it is ${made} (${fix})`;
}

/** Whether it is made of the right key and text, and written as is due. */
export const isRight = ({ fits, made }: NonNullable<ReportedWebhook["signature"]>): boolean =>
  fits && made === undefined;

/** A webhook in lines of plain text, its body left out: what stands in it is in the signed text. */
export function webhookText(webhook: ReportedWebhook): readonly string[] {
  const { event, signature } = webhook;
  const remark = signatureRemark(signature);
  return [
    event,
    webhookTimes(webhook),
    ...(signature && !isRight(signature)
      ? [
          `signed text: ${signature.signed_text}`,
          `expected signature: ${signature.expected}`,
          `received signature: ${signature.received}${remark === undefined ? "" : `: ${remark}`}`,
        ]
      : []),
  ];
}
