/** The types of the functions that implement the operations, one per operationId. */
import type { AuthenticatedApi, ControlApi, PublicApi } from "../contract/apis.ts";
import type { Input, Operation, Operations } from "../contract/calls.ts";
import type { AuthenticatedContext, ControlContext, PublicContext } from "../dependencies.ts";

export type PublicOperation<Id extends keyof PublicApi> = Operation<PublicApi[Id], PublicContext>;
export type AuthenticatedOperation<Id extends keyof AuthenticatedApi> = Operation<
  AuthenticatedApi[Id],
  AuthenticatedContext
>;
export type ControlOperation<Id extends keyof ControlApi> = Operation<ControlApi[Id], ControlContext>;

export type PublicOperations = Operations<PublicApi, PublicContext>;
export type AuthenticatedOperations = Operations<AuthenticatedApi, AuthenticatedContext>;
export type ControlOperations = Operations<ControlApi, ControlContext>;

/** A validated request with its context, for helpers that need both. */
export type Call<Id extends keyof AuthenticatedApi> = Input<AuthenticatedApi[Id]> & AuthenticatedContext;
