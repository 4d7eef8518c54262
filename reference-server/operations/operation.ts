/** Operations in their contexts, by operationId. */
import type { ControlApi, PrivateApi, PublicApi } from "../contract/apis.ts";
import type { Input, Operation, Operations } from "../contract/calls.ts";
import type { ControlContext, PrivateContext, PublicContext } from "../dependencies.ts";

export type PublicOperation<Id extends keyof PublicApi> = Operation<PublicApi[Id], PublicContext>;
export type PrivateOperation<Id extends keyof PrivateApi> = Operation<PrivateApi[Id], PrivateContext>;
export type ControlOperation<Id extends keyof ControlApi> = Operation<ControlApi[Id], ControlContext>;

export type PublicOperations = Operations<PublicApi, PublicContext>;
export type PrivateOperations = Operations<PrivateApi, PrivateContext>;
export type ControlOperations = Operations<ControlApi, ControlContext>;

/** A checked request of an operation, for helpers that take a whole call. */
export type Call<Id extends keyof PrivateApi> = Input<PrivateApi[Id]> & PrivateContext;
