import { wallClock } from "../../../core/clock.ts";
import { Authority } from "../../../core/signing/x509.ts";

const DAY_MS = 86_400_000;

/** A certificate, its key, and the CA that a target has to trust, all in PEM. */
interface Certificates {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

const made = new Map<string, Certificates>();

/**
 * A CA and a certificate for the hosts, shared by all receivers of this process. They are valid for a few days
 * before and after now, because the target's clock may differ.
 */
export function certificatesFor(hosts: readonly string[]): Certificates {
  const key = hosts.join();
  const certificates = made.get(key) ?? makeCertificates(hosts);
  made.set(key, certificates);
  return certificates;
}

function makeCertificates(hosts: readonly string[]): Certificates {
  const now = wallClock();
  const authority = new Authority("Internal CA", { from: now - 2 * DAY_MS, to: now + 30 * DAY_MS });
  return { ...authority.issue("webhooks", hosts), ca: authority.certificate };
}
