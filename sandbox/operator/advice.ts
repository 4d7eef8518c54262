/**
 * Advice for the sandbox's user about likely mistakes. The error of a refused request contains
 * the advice; other advice is shown on the terminal.
 */
import { X509Certificate } from "node:crypto";
import { afterCommit } from "../../reference-server/database/transaction.ts";
import type { Dependencies, LoggedAttempt } from "../../reference-server/dependencies.ts";
import { httpsRule } from "../../reference-server/http/validation.ts";
import { sandboxRecords } from "../records/sandbox.ts";
import { unknownPhraseIn } from "../simulator/scripts.ts";

export type Advice =
  /** A delivery's notes contain an unknown `sim:` script. */
  | { readonly about: "script"; readonly externalRef: string; readonly phrase: string }
  /** A webhook's certificate isn't trusted; `ca` is the CA that was registered for its origin. */
  | {
      readonly about: "certificate";
      readonly origin: string;
      readonly fault: string;
      readonly ca: string | undefined;
    }
  /** A webhook's host name resolves to an address that webhooks may not reach. */
  | { readonly about: "private address"; readonly origin: string };

/** TLS error codes for a certificate without a trusted CA. */
const untrusted = [
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  // A CA with the same name and a different key.
  "CERT_SIGNATURE_FAILURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
];

const addressAdvice =
  "bu makinedeki bir alıcı için: sandbox --forward-to http://localhost:3000/hooks ile başlatılır; " +
  "özel bir https adresi için: denetim arayüzünde trustReceiver";

/** Dependencies that give advice. The same advice about an endpoint is given once. */
export function withAdvice(tell: (advice: Advice) => void): (deps: Dependencies) => Dependencies {
  return (deps) => {
    const told = new Set<string>();
    const tellOnce = (advice: Advice) => {
      const key = JSON.stringify(advice);
      if (!told.has(key)) tell(advice);
      told.add(key);
    };
    return {
      ...deps,
      addressGuard: {
        ...deps.addressGuard,
        refusal(guard, url, trusted) {
          const reason = deps.addressGuard.refusal(guard, url, trusted);
          return reason && `${reason}; ${addressAdvice}`;
        },
      },
      views: {
        ...deps.views,
        failure(failure) {
          const { field, reason }: { field?: unknown; reason?: unknown } = { ...failure.details };
          const isHttp = field === "url" && reason === httpsRule;
          if (!isHttp) return deps.views.failure(failure);
          return deps.views.failure({
            ...failure,
            details: { field, reason: `${reason}; ${addressAdvice}` },
          });
        },
      },
      attemptLog: {
        async keep(all, attempt) {
          const advice = adviceOn(attempt);
          if (advice !== undefined) tellOnce(advice);
          await deps.attemptLog.keep(all, attempt);
        },
      },
      async emit(all, tx, delivery, kind) {
        await deps.emit(all, tx, delivery, kind);
        const phrase = unknownPhraseIn(delivery.notes);
        if (phrase === undefined) return;
        if (!(await sandboxRecords.isSimulated(tx, delivery.integrator_id))) return;
        afterCommit(tx, () => tellOnce({ about: "script", externalRef: delivery.external_ref, phrase }));
      },
    };
  };
}

function adviceOn({ dispatch, outcome, request }: LoggedAttempt): Advice | undefined {
  if ("status" in outcome) return undefined;
  const { origin } = dispatch;
  const { fault } = outcome;
  if (fault === "ForbiddenAddress") return { about: "private address", origin };
  if (!untrusted.includes(fault)) return undefined;
  const pem = request.trust?.ca_pem ?? undefined;
  return { about: "certificate", origin, fault, ca: pem && subjectOf(pem) };
}

/** The certificate's subject on one line. */
const subjectOf = (pem: string): string => new X509Certificate(pem).subject.replaceAll("\n", ", ");
