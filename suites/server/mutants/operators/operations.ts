import type { AnyReply } from "../../../../reference-server/contract/calls.ts";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError, type ErrorCode } from "../../../../reference-server/errors.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { Mutate } from "../mutant.ts";

/** The duration of a faulty operation, so that concurrent operations overlap, on a busy machine too. */
export const OVERLAP_MS = 100;

type Operations = Dependencies["operations"];
type Id = keyof Operations;

/** Replaces an operation, which may call the original. */
export const replaceOperation =
  <const Name extends Id>(
    name: Name,
    other: (
      call: Parameters<Operations[Name]>[0],
      original: Operations[Name],
      deps: Dependencies,
    ) => ReturnType<Operations[Name]>,
  ) =>
  (deps: Dependencies): Dependencies => {
    const original = deps.operations[name];
    const operation = (call: Parameters<Operations[Name]>[0]) => other(call, original, deps);
    return { ...deps, operations: { ...deps.operations, [name]: operation } };
  };

/** The common part of all operations' calls. */
export interface AnyCall {
  readonly deps: Dependencies;
  readonly mediaType: string | undefined;
  readonly path: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  /** Of an operation that needs a token: its hash, and the integrator's time in milliseconds. */
  readonly tokenHash?: string;
  readonly now?: number;
}

export type OperationName = Id;

/** Runs code around any operation, whose types aren't known here. */
export const aroundOperation =
  (
    name: Id,
    work: (call: AnyCall, original: (changed?: AnyCall) => Promise<AnyReply>) => Promise<AnyReply>,
  ): Mutate =>
  (deps) => {
    const original: unknown = deps.operations[name];
    if (typeof original !== "function") throw new Error(`there is no operation ${name}`);
    const operation = (call: AnyCall) => work(call, (changed = call) => original(changed));
    return { ...deps, operations: { ...deps.operations, [name]: operation } };
  };

export const respondWith = <const Status extends number, Body>(status: Status, body: Body) => ({
  status,
  body,
});

/** The result of the work. If the work is refused with the code, the result of the fault instead. */
export async function onRefusal<T>(
  code: ErrorCode,
  work: Promise<T>,
  fault: (refusal: DomainError) => Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && error.code === code) return fault(error);
    throw error;
  }
}

type CreateCall = Call<"createDelivery">;
export type Created = Awaited<ReturnType<Dependencies["operations"]["createDelivery"]>>;

/** Runs code around creations, or instead of them. */
export const alterCreation =
  (change: (call: CreateCall, create: (call: CreateCall) => Promise<Created>) => Promise<Created>): Mutate =>
  (deps) => ({
    ...deps,
    operations: {
      ...deps.operations,
      createDelivery: (call) => change(call, deps.operations.createDelivery),
    },
  });

/** A server that misreads orders. The body's type is unknown, because a required field may be missing. */
export const alterOrder = (change: (body: CreateCall["body"], call: CreateCall) => object): Mutate =>
  alterCreation(async (call, create) =>
    create({ ...call, body: { ...call.body, ...change(call.body, call) } }),
  );

type ReadCall = Call<"getDelivery">;

/** A server with different deliveries in GET by id only. */
export const alterRead =
  (change: (body: Schemas["Delivery"], call: ReadCall) => object | Promise<object>): Mutate =>
  (deps) => ({
    ...deps,
    operations: {
      ...deps.operations,
      getDelivery: async (call) => {
        const { status, body } = await deps.operations.getDelivery(call);
        return { status, body: { ...body, ...(await change(body, call)) } };
      },
    },
  });
