import { wallClock } from "../../core/clock.ts";
import type { SetName } from "../../core/contract/element-sets.ts";
import type { ControlClient } from "../../core/control.ts";
import type { Exchange } from "../../core/exchange.ts";
import type { PropertyOptions } from "../../core/grading/expectations/property.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import type { Capability } from "../capabilities.ts";
import type { FullContext } from "../check.ts";
import type { CheckTrace, ControlStep } from "../evidence/trace.ts";
import { missingPrerequisite } from "../schedule/prerequisites.ts";
import type { Api } from "../session/http/api.ts";
import type { PendingRequests } from "../session/http/pending-requests.ts";
import type { Identity } from "../session/identities/identity.ts";
import type { Urgency } from "../session/limits/in-flight.ts";
import type { EventuallyConsistentLists } from "../session/lists/list-readings.ts";
import type { Session } from "../session/session.ts";
import type { Inbox } from "../session/webhook-receiver/inbox.ts";

/** Records a check's actions and notes. */
export interface Recorder
  extends Pick<FullContext, "note" | "attributeTo" | "recordCoverage" | "timeline" | "disturbed"> {
  readonly exchange: (exchange: Exchange) => void;
  /** Records a covered element of a set. */
  readonly reached: (set: SetName, element: string) => void;
  /** Record the next case of a group, and the end of its last case. */
  readonly beginCase: (group: object) => void;
  readonly endCases: (group: object) => void;
  /** Records a failure after which the check continues. */
  readonly failed: (error: Error) => void;
  /** Records an endpoint that the check uses. */
  readonly inbox: (inbox: Inbox) => void;
  /** The steps of the check, and of each run of a property. */
  readonly trace: CheckTrace;
  /** Reports each run of a property. */
  readonly tries: NonNullable<PropertyOptions<unknown>["onTry"]>;
  readonly lists: EventuallyConsistentLists;
}

/** An endpoint that a check has registered. */
export interface OwnEndpoint {
  readonly id: string;
  /** The API of the endpoint's integrator. */
  readonly api: Api;
}

/** The dependencies of one check's context. */
export interface ContextDependencies {
  readonly session: Session;
  readonly identity: Identity;
  /** The second integrator, if any. */
  readonly secondIdentity: Identity | undefined;
  readonly seed: number;
  /** True if the check ran before and failed. */
  readonly isConfirmation: boolean;
  /** The priority of the check's requests. */
  readonly urgency: Urgency;
  readonly recorder: Recorder;
  /** The check's pending requests. */
  readonly pendingRequests: PendingRequests;
  /** Registers a function that throws CheckSkipped if a check without failures didn't meet its situation. */
  readonly confirmLater: (confirm: () => Promise<void>) => void;
  /** Registers an endpoint to delete when the check ends. */
  readonly deleteLater: (endpoint: OwnEndpoint) => void;
}

/**
 * The control interface for a capability.
 * @throws CheckSkipped if the target doesn't offer it
 */
export function controlFor({ session }: ContextDependencies, capability: Capability): ControlClient {
  const missing = missingPrerequisite(session, capability);
  if (session.control && missing === undefined) return session.control;
  throw new CheckSkipped(missing ?? `${capability} needs a control interface`);
}

/** Records a request to the control interface before it is sent. */
export function noteControl({ recorder }: ContextDependencies, control: ControlStep): void {
  recorder.trace.add({ control, at: wallClock() });
  recorder.lists.noteChange();
}
