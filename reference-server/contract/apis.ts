/** The operations of both documents by operationId, from the generated types. */
import type { operations } from "../../openapi/generated/courier-dispatch.ts";

export type { operations as ControlApi } from "../../openapi/generated/control.ts";

/** Operations of the service that need no credentials. */
type PublicId = "obtainToken" | "getTracking" | "getHealth";
export type PublicApi = Pick<operations, PublicId>;
/** The operations that need credentials. Excludes the document's events, because the service sends them. */
export type AuthenticatedApi = Omit<operations, PublicId | `on${string}`>;
