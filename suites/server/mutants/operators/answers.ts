import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery } from "../../../../reference-server/domain/model.ts";
import type { ErrorCode } from "../../../../reference-server/errors.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { FaultyServer, Mutate } from "../mutant.ts";

export const alterDelivery =
  (change: (shown: Schemas["Delivery"], delivery: Delivery, deps: Dependencies) => object): Mutate =>
  (deps) => ({
    ...deps,
    views: {
      ...deps.views,
      delivery: (current, delivery) => {
        const shown = deps.views.delivery(current, delivery);
        return { ...shown, ...change(shown, delivery, current) };
      },
    },
  });

type PageView = ReturnType<Dependencies["views"]["page"]>;

export const alterPage =
  (change: (page: PageView) => object): Mutate =>
  (deps) => ({
    ...deps,
    views: {
      ...deps.views,
      page: (...given) => {
        const page = deps.views.page(...given);
        return { ...page, ...change(page) };
      },
    },
  });

type Failure = Parameters<Dependencies["views"]["failure"]>[0];

export const alterRefusal =
  (write: (failure: Failure, original: Dependencies["views"]["failure"]) => unknown): Mutate =>
  (deps) => ({
    ...deps,
    views: { ...deps.views, failure: (failure) => write(failure, deps.views.failure) },
  });

export const wrongStatus = (code: ErrorCode, status: number): Pick<FaultyServer, "mutate" | "actual"> => ({
  actual: String(status),
  mutate: (deps) => ({ ...deps, errors: { ...deps.errors, [code]: { ...deps.errors[code], status } } }),
});

/** A server with different rate limit headers; undefined omits one. */
export const alterRateHeaders =
  (
    change: (
      rateLimit: Parameters<Dependencies["limitHeaders"]>[0],
      status: number,
    ) => Readonly<Record<string, string | undefined>>,
  ): Mutate =>
  (deps) => ({
    ...deps,
    limitHeaders: (rateLimit, status) => {
      const headers = { ...deps.limitHeaders(rateLimit, status), ...change(rateLimit, status) };
      const written: Record<string, string> = {};
      for (const [name, value] of Object.entries(headers)) if (value !== undefined) written[name] = value;
      return written;
    },
  });

export const shiftInstant = (time: string, ms: number): string =>
  new Date(Date.parse(time) + ms).toISOString();

/** Local time marked as UTC; null without a time. */
export const asLocalTime = (time: string | null | undefined): string | null =>
  time ? shiftInstant(time, 3 * 3_600_000) : null;

/** The object with members that its type doesn't allow. */
export const withMembers = <T extends object>(whole: T, members: object): T => ({ ...whole, ...members });

export const withBodyMembers = <R extends { readonly body: object }>(reply: R, members: object): R => ({
  ...reply,
  body: { ...reply.body, ...members },
});

/** A text as a page shows it, if a server stores it escaped. */
export const escapedForHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A copy without some members that its type requires. */
export function withoutMembers<T extends object>(whole: T, ...members: readonly (keyof T)[]): T {
  const copy = { ...whole };
  for (const member of members) Reflect.deleteProperty(copy, member);
  return copy;
}
