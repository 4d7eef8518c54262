import type { Delivery } from "../../../../reference-server/domain/model.ts";
import type { ErrorCode } from "../../../../reference-server/errors.ts";
import type { Parts } from "../../../../reference-server/parts.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { Mutate } from "../mutant.ts";

/** The server that shows a delivery otherwise, wherever it shows it. */
export const alterDelivery =
  (change: (shown: Schemas["Delivery"], delivery: Delivery, parts: Parts) => object): Mutate =>
  (parts) => ({
    ...parts,
    views: {
      ...parts.views,
      delivery: (current, delivery) => {
        const shown = parts.views.delivery(current, delivery);
        return { ...shown, ...change(shown, delivery, current) };
      },
    },
  });

type PageView = ReturnType<Parts["views"]["page"]>;

/** The server that shows a page otherwise. */
export const alterPage =
  (change: (page: PageView) => object): Mutate =>
  (parts) => ({
    ...parts,
    views: {
      ...parts.views,
      page: (...given) => {
        const page = parts.views.page(...given);
        return { ...page, ...change(page) };
      },
    },
  });

type Failure = Parameters<Parts["views"]["failure"]>[0];

/** The server that writes its refusals otherwise. */
export const alterRefusal =
  (write: (failure: Failure, original: Parts["views"]["failure"]) => unknown): Mutate =>
  (parts) => ({
    ...parts,
    views: { ...parts.views, failure: (failure) => write(failure, parts.views.failure) },
  });

/** The server that answers a code with another status. */
export const alterStatus =
  (code: ErrorCode, status: number): Mutate =>
  (parts) => ({
    ...parts,
    errors: { ...parts.errors, [code]: { ...parts.errors[code], status } },
  });

/** The server that writes its rate headers otherwise; undefined leaves one out. */
export const alterRateHeaders =
  (
    change: (
      rateLimit: Parameters<Parts["limitHeaders"]>[0],
      status: number,
    ) => Readonly<Record<string, string | undefined>>,
  ): Mutate =>
  (parts) => ({
    ...parts,
    limitHeaders: (rateLimit, status) => {
      const headers = { ...parts.limitHeaders(rateLimit, status), ...change(rateLimit, status) };
      const written: Record<string, string> = {};
      for (const [name, value] of Object.entries(headers)) if (value !== undefined) written[name] = value;
      return written;
    },
  });

/** An instant that is off by this many milliseconds. */
export const shiftInstant = (time: string, ms: number): string =>
  new Date(Date.parse(time) + ms).toISOString();

/** Local time with a Z behind it; null without a time. */
export const asLocalTime = (time: string | null | undefined): string | null =>
  time ? shiftInstant(time, 3 * 3_600_000) : null;

/** Something with other members than its type says. */
export const withMembers = <T extends object>(whole: T, members: object): T => ({ ...whole, ...members });

/** A reply whose body has other members. */
export const withBodyMembers = <R extends { readonly body: object }>(reply: R, members: object): R => ({
  ...reply,
  body: { ...reply.body, ...members },
});

/** A copy without some of its members, though its type says that it has them. */
export function withoutMembers<T extends object>(whole: T, ...members: readonly (keyof T)[]): T {
  const copy = { ...whole };
  for (const member of members) Reflect.deleteProperty(copy, member);
  return copy;
}
