/** Turns any thrown error into the specification's error body. */
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { Dependencies } from "../dependencies.ts";
import { DomainError } from "../errors.ts";

/** The error handler of a server with these dependencies. */
export function failureHandler(deps: Dependencies) {
  return (error: FastifyError | DomainError, _request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendFailure(deps, reply, asDomainError(deps, error));
}

function sendFailure(deps: Dependencies, reply: FastifyReply, { code, details }: DomainError): FastifyReply {
  const { status, message } = deps.errors[code];
  if (status === 401) reply.header("www-authenticate", "Bearer");
  return reply.code(status).send(deps.views.failure({ code, message, details }));
}

function asDomainError(deps: Dependencies, error: FastifyError | DomainError): DomainError {
  if (error instanceof DomainError) return error;
  const status = error.statusCode ?? 500;
  if (status === 413) return new DomainError("GOVDE_COK_BUYUK");
  if (status >= 400 && status < 500) {
    return new DomainError("DOGRULAMA", { field: "request", reason: "istek okunamadı" });
  }
  deps.reportFault(error);
  return new DomainError("SUNUCU_HATASI");
}
