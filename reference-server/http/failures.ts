/** Turns any thrown error into the specification's error body. */
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { DomainError } from "../errors.ts";
import type { Parts } from "../parts.ts";

/** The error handler of a server with these parts. */
export function failureHandler(parts: Parts) {
  return (error: FastifyError | DomainError, _request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendFailure(parts, reply, asDomainError(parts, error));
}

function sendFailure(parts: Parts, reply: FastifyReply, { code, details }: DomainError): FastifyReply {
  const { status, message } = parts.errors[code];
  if (status === 401) reply.header("www-authenticate", "Bearer");
  return reply.code(status).send(parts.views.failure({ code, message, details }));
}

function asDomainError(parts: Parts, error: FastifyError | DomainError): DomainError {
  if (error instanceof DomainError) return error;
  const status = error.statusCode ?? 500;
  if (status === 413) return new DomainError("GOVDE_COK_BUYUK");
  if (status >= 400 && status < 500) {
    return new DomainError("DOGRULAMA", { field: "request", reason: "istek okunamadı" });
  }
  parts.reportFault(error);
  return new DomainError("SUNUCU_HATASI");
}
