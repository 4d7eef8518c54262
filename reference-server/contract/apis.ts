/** The operations of both documents by their operationId, as the generated types have them. */
import type { operations } from "../../openapi/generated/courier-dispatch.ts";

export type { operations as ControlApi } from "../../openapi/generated/control.ts";

/** Operations of the service that need no credentials. */
type PublicId = "obtainToken" | "getTracking" | "getHealth";
export type PublicApi = Pick<operations, PublicId>;
/** All others, save the events, which the service sends. */
export type PrivateApi = Omit<operations, PublicId | `on${string}`>;
