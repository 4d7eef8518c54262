/** The contexts in which operations run, and their types by operationId. */
import type { operations as ControlApi } from "../../openapi/generated/control.ts";
import type { operations as ServiceApi } from "../../openapi/generated/courier-dispatch.ts";
import type { Input, Operation, Operations } from "../contract/calls.ts";
import type { Parts } from "../parts.ts";
import type { Integrator } from "../records/integrators.ts";

/** Operations of the service that need no credentials. */
type PublicId = "obtainToken" | "getTracking" | "getHealth";
type PublicApi = Pick<ServiceApi, PublicId>;
type PrivateApi = Omit<ServiceApi, PublicId>;

export interface PublicContext {
  parts: Parts;
  /** The caller's IP address. */
  address: string;
}

export interface PrivateContext extends PublicContext {
  integrator: Integrator;
  tokenHash: string;
  /** The integrator's time in ms when the request was let in. */
  now: number;
}

export interface ControlContext {
  parts: Parts;
}

export type PublicOperation<Id extends keyof PublicApi> = Operation<PublicApi[Id], PublicContext>;
export type PrivateOperation<Id extends keyof PrivateApi> = Operation<PrivateApi[Id], PrivateContext>;
export type ControlOperation<Id extends keyof ControlApi> = Operation<ControlApi[Id], ControlContext>;

export type PublicOperations = Operations<PublicApi, PublicContext>;
export type PrivateOperations = Operations<PrivateApi, PrivateContext>;
export type ControlOperations = Operations<ControlApi, ControlContext>;

/** A checked request of an operation, for helpers that take a whole call. */
export type Call<Id extends keyof PrivateApi> = Input<PrivateApi[Id]> & PrivateContext;
