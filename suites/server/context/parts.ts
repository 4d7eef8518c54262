import { wallClock } from "../../core/clock.ts";
import type { SetName } from "../../core/contract/element-sets.ts";
import type { ControlClient } from "../../core/control.ts";
import type { Exchange } from "../../core/exchange.ts";
import type { PropertyOptions } from "../../core/grading/expectations/property.ts";
import { NotTestable } from "../../core/grading/failures/failure.ts";
import type { Capability } from "../capabilities.ts";
import type { FullContext } from "../check.ts";
import type { CheckTrace, ControlStep } from "../evidence/trace.ts";
import { missingPrerequisite } from "../schedule/prerequisites.ts";
import type { RequestsUnderWay } from "../session/http/requests-under-way.ts";
import type { Identity } from "../session/identities/identity.ts";
import type { Integrator } from "../session/integrator.ts";
import type { Urgency } from "../session/limits/in-flight.ts";
import type { EventuallyConsistentLists } from "../session/lists/list-readings.ts";
import type { Session } from "../session/session.ts";
import type { Inbox } from "../session/webhook-receiver/inbox.ts";
import type { WebhookReceiver } from "../session/webhook-receiver/receiver.ts";

/** Records a check's actions and its notes, on a pass too. */
export interface Recorder extends Pick<FullContext, "note" | "at" | "cover" | "timeline"> {
  readonly exchange: (exchange: Exchange) => void;
  /** Records a covered element of a set. */
  readonly reached: (set: SetName, element: string) => void;
  /** Records a failure after which the check goes on. */
  readonly failed: (error: Error) => void;
  /** An address at which webhooks may come. */
  readonly inbox: (inbox: Inbox) => void;
  /** A trace of the check's actions, and of each try of a property. */
  readonly trace: CheckTrace;
  /** Reports each try of a property. */
  readonly tries: NonNullable<PropertyOptions<unknown>["onTry"]>;
  readonly lists: EventuallyConsistentLists;
  /** Time for attempts without an answer to arrive, milliseconds. Undefined if the target chooses it. */
  readonly hurried: (withinMs: number | undefined) => void;
}

/** The parts of one check's context. */
export interface ContextParts {
  readonly session: Session;
  readonly identity: Identity;
  /** The second integrator, if the check needs one. */
  readonly secondIdentity: Identity | undefined;
  readonly seed: number;
  /** True if the check ran before and failed. */
  readonly isConfirmation: boolean;
  /** Priority of the check's requests while others wait too. */
  readonly urgency: Urgency;
  readonly recorder: Recorder;
  /** The check's requests, until they are answered. */
  readonly underWay: RequestsUnderWay;
  /**
   * Registers a test that runs once the check has found nothing: it throws NotTestable if the check's subject didn't
   * occur.
   */
  readonly confirmLater: (look: () => Promise<void>) => void;
  /** Registers work for the check's end. */
  readonly cleanUpLater: (work: () => Promise<unknown>) => void;
}

/** Operations that an integrator can call at the API. */
export const integratorOf = (
  { session, recorder, urgency, underWay }: ContextParts,
  identity: Identity,
): Integrator => ({
  api: identity.api(recorder.exchange).with({
    urgency,
    underWay,
    beforeSending: (operation) => recorder.lists.beforeSending(operation),
  }),
  credentials: identity.credentials,
  store: () => session.storeOf(identity),
  now: () => identity.now(),
});

/**
 * The control interface for a capability.
 * @throws NotTestable if the target doesn't offer it
 */
export function controlFor({ session }: ContextParts, capability: Capability): ControlClient {
  const missing = missingPrerequisite(session, capability);
  if (session.control && missing === undefined) return session.control;
  throw new NotTestable(missing ?? `${capability} needs a control interface`);
}

/** Notes a request to the control interface, which is about to be sent. */
export function noteControl({ recorder }: ContextParts, control: ControlStep): void {
  recorder.trace.add({ control, at: wallClock() });
  recorder.lists.noteChange();
}

/**
 * The suite's webhook receiver.
 * @throws NotTestable if it wasn't started
 */
export function receiverOf({ session }: ContextParts): WebhookReceiver {
  if (session.reachability?.receiver) return session.reachability.receiver;
  throw new NotTestable(missingPrerequisite(session, "receiver") ?? "there is no webhook receiver");
}
