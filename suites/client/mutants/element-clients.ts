import { type ElementOf, elementsOf } from "../../core/contract/element-sets.ts";
import { brokenElements, type ElementMutants } from "../../core/element-mutants.ts";
import { forEachElement } from "../../core/for-each-element.ts";
import { backoff, type ClientBehaviour, isTransient, type Reply } from "../reference-client/behaviour.ts";
import { PLURALS, TASK_WORDS } from "../session/task-kind.ts";
import { type ClientMutant, isRefusal, retriesToo } from "./mutant.ts";

type Call = ElementOf<"calls-of-a-client">;

const givingUp = (call: Call, met: (reply: Reply | undefined) => boolean): Partial<ClientBehaviour> => ({
  repeats: (reply, kind) => isTransient(reply) && !(kind === call && met(reply)),
});

const ONCE_MORE: Pick<ClientBehaviour, "tries"> = { tries: 3 };

/** Clients that break a rule for one kind of call or for one status. */
export const elementClients = {
  ...forEachElement(
    elementsOf("calls-of-a-client").filter((call) => call !== "order"),
    (call) => `gives-up-${PLURALS[call]}`,
    (call): ClientMutant => ({
      fault: `doesn't retry ${TASK_WORDS[call]}`,
      caughtBy: ["retries.other-calls"],
      behaviour: givingUp(call, () => true),
    }),
  ),
  ...forEachElement(
    elementsOf("calls-with-final-refusals"),
    (call) => `retries-refused-${PLURALS[call]}`,
    (call): ClientMutant => ({
      fault: `sends ${TASK_WORDS[call]} again that was refused for its content`,
      caughtBy: [call === "order" ? "refusals.other-4xx" : "refusals.other-calls-refused"],
      behaviour: { repeats: retriesToo((reply, kind) => kind === call && isRefusal(reply)), ...ONCE_MORE },
    }),
  ),
  ...forEachElement(
    elementsOf("calls-except-registration"),
    (call) => `gives-up-${PLURALS[call]}-on-network-errors`,
    (call): ClientMutant => ({
      fault: `doesn't retry a ${call} after a broken connection`,
      caughtBy: [call === "order" ? "retries.network-error" : "retries.other-calls"],
      behaviour: givingUp(call, (reply) => reply === undefined),
    }),
  ),
  ...forEachElement(
    elementsOf("calls-except-registration"),
    (call) => `gives-up-${PLURALS[call]}-on-429`,
    (call): ClientMutant => ({
      fault: `doesn't retry a ${call} after 429`,
      caughtBy: [call === "order" ? "retries.rate-limit" : "retries.other-calls"],
      behaviour: givingUp(call, (reply) => reply?.status === 429),
    }),
  ),
  ...forEachElement(
    elementsOf("calls-except-registration"),
    (call) => `ignores-retry-after-of-${call}`,
    (call): ClientMutant => ({
      fault: `ignores retry-after for a ${call}`,
      caughtBy: ["retries.retry-after"],
      behaviour: {
        wait: (failures, reply, kind) =>
          Math.max(backoff(failures), kind === call ? 0 : (reply?.retryAfter ?? 0)),
      },
    }),
  ),
  ...forEachElement(
    elementsOf("calls-of-a-client"),
    (call) => `gives-up-${PLURALS[call]}-on-5xx`,
    (call): ClientMutant => ({
      fault: `doesn't retry a ${call} after a 5xx`,
      caughtBy: [call === "order" ? "retries.server-error" : "retries.other-calls"],
      behaviour: givingUp(call, (reply) => (reply?.status ?? 0) >= 500),
    }),
  ),
  ...forEachElement(
    elementsOf("retried-statuses"),
    (status) => `gives-up-on-${status}`,
    (status): ClientMutant => ({
      fault: `gives up an order on ${status}`,
      caughtBy: ["retries.server-error"],
      behaviour: givingUp("order", (reply) => reply?.status === Number(status)),
    }),
  ),
  ...forEachElement(
    elementsOf("calls-with-a-token"),
    (call) => `gives-up-${PLURALS[call]}-on-401`,
    (call): ClientMutant => ({
      fault: `gets no new token for a ${call} whose token was refused`,
      caughtBy: [call === "order" ? "refusals.unauthorised" : "refusals.other-calls-unauthorised"],
      behaviour: { renewals: (kind) => (kind === call ? 0 : 1) },
    }),
  ),
  ...forEachElement(
    elementsOf("final-error-statuses"),
    (status) => `retries-${status}`,
    (status): ClientMutant => ({
      fault: `sends an order again unchanged after ${status}`,
      caughtBy: ["refusals.other-4xx"],
      behaviour: {
        repeats: retriesToo((reply, kind) => kind === "order" && reply?.status === Number(status)),
        ...ONCE_MORE,
      },
    }),
  ),
  ...forEachElement(
    elementsOf("codes-of-a-refused-token"),
    (code) => `gives-up-on-${code}`,
    (code): ClientMutant => ({
      fault: `gets no new token after ${code}`,
      caughtBy: ["refusals.unauthorised"],
      behaviour: { renewals: (_, met) => (met === code ? 0 : 1) },
    }),
  ),
} satisfies Record<string, ClientMutant>;

const isCall = (element: string): element is Call =>
  elementsOf("calls-of-a-client").some((call) => call === element);
const pluralOf = (call: string): string => (isCall(call) ? PLURALS[call] : call);

/** For each clause about all elements of a set, the mutant that breaks the clause for one element. */
export const elementMutants: ElementMutants = {
  "CLIENT-18": (call) => `gives-up-${pluralOf(call)}-on-network-errors`,
  "CLIENT-19": (call) => `gives-up-${pluralOf(call)}-on-429`,
  "CLIENT-20": (call) => `ignores-retry-after-of-${call}`,
  "CLIENT-21": (element, set) =>
    set === "calls-of-a-client" ? `gives-up-${pluralOf(element)}-on-5xx` : `gives-up-on-${element}`,
  "CLIENT-27": (element, set) =>
    set === "calls-with-a-token" ? `gives-up-${pluralOf(element)}-on-401` : `gives-up-on-${element}`,
  "CLIENT-30": (element, set) =>
    set === "calls-with-final-refusals" ? `retries-refused-${pluralOf(element)}` : `retries-${element}`,
};

/** The elements for which a mutant breaks a check's clauses. */
export const elementsBrokenBy = brokenElements("client", elementMutants);
