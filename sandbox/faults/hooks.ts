import { setTimeout } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { DomainError, type ErrorCode } from "../../reference-server/errors.ts";
import type { FaultSwitch } from "./fault-switch.ts";
import { preferenceIn } from "./prefer.ts";

/**
 * Delays every response of the service, and refuses requests after the rate limit has counted them and before
 * they have an effect. /healthz is exempt, because monitoring uses it.
 */
export function addFaults(service: FastifyInstance, deps: Dependencies, faults: FaultSwitch): void {
  const closing = new AbortController();
  service.addHook("preClose", async () => closing.abort());
  const isExempt = ({ routeOptions }: FastifyRequest) => routeOptions.url === "/healthz";
  service.addHook("onRequest", async (request, reply) => {
    if (isExempt(request)) return;
    const { delayMs } = preferenceIn(request.headers.prefer);
    const ms = Math.max(faults.at(deps.clock.now()).latencyMs, delayMs);
    if (ms > 0) await setTimeout(ms, undefined, { signal: closing.signal }).catch(() => {});
    if (delayMs > 0) reply.header("preference-applied", "delay");
  });
  service.addHook("preHandler", async (request, reply) => {
    if (isExempt(request)) return;
    const { code } = preferenceIn(request.headers.prefer);
    if (code !== undefined) return refuse(deps, reply, code);
    if (Math.random() < faults.at(deps.clock.now()).errorRate) {
      reply.header("x-sandbox-fault", "error-rate");
      throw new DomainError("SUNUCU_HATASI");
    }
  });
}

/** Refuses with the service's error body; without a body for a status that only a gateway returns. */
function refuse(deps: Dependencies, reply: FastifyReply, wanted: string): FastifyReply | undefined {
  const known = codeOf(deps, wanted);
  if (known === undefined && !/^\d/.test(wanted)) return undefined;
  const applied = [reply.getHeader("preference-applied") ?? [], `code=${wanted}`].flat();
  reply.header("preference-applied", applied.join(", "));
  if (known !== undefined) throw new DomainError(known);
  return reply.code(Number(wanted)).send();
}

const codeOf = ({ errors }: Dependencies, wanted: string): ErrorCode | undefined =>
  codesIn(errors).find((code) => code === wanted || String(errors[code].status) === wanted);

/** All error codes. If several codes have the same status, the usual code comes first. */
function codesIn(errors: Dependencies["errors"]): readonly ErrorCode[] {
  const usual: readonly ErrorCode[] = ["DOGRULAMA", "GECERSIZ", "BULUNAMADI", "DURUM_UYGUN_DEGIL"];
  const isCode = (name: string): name is ErrorCode => Object.hasOwn(errors, name);
  return [...usual, ...Object.keys(errors).filter(isCode)];
}
