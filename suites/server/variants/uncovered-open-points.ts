import type { OpenPoints } from "../../../openapi/generated/clauses.ts";

type Uncovered = Readonly<Partial<OpenPoints>>;

/** Choices that no request of the suite can reveal. */
const notObservable: Uncovered = {
  "OPEN-7": "all times are sent in one format",
  "OPEN-30": "lengths are tested with ASCII and Turkish letters, which count the same either way",
  "OPEN-50": "a fee is read after the creation of a delivery and after a change of its coordinates",
  "OPEN-63": "no impossible coordinates are sent",
  "OPEN-66": "the reference server uses one road length for both; mutants cover the difference",
  "OPEN-67": "couriers are on shift in all tests that need a serviceable place",
  "OPEN-68": "quotes are requested without a schedule, or with one far in the future",
  "OPEN-88": "coordinates are always sent as pairs of numbers",
  "OPEN-90": "the reference server follows the recommendation",
  "OPEN-92": "no check removes a courier from a delivery",
  "OPEN-94": "no check waits that long",
  "OPEN-95": "there is one reading",
  "OPEN-102": "the reference server follows the recommendation",
  "OPEN-104": "registrations are repeated with all fields",
  "OPEN-105": "each pairing code is used for one external_store_id",
  "OPEN-120": "requests are repeated within seconds",
  "OPEN-121": "an idempotency key is sent only with creations",
  "OPEN-123": "the check of concurrent creations only asserts that there is at most one delivery",
  "OPEN-126": "only clearly wrong types are sent",
  "OPEN-131": "the order for a store without coordinates may get any response but a 5xx",
  "OPEN-151": "the reference server follows the recommendation",
  "OPEN-152": "addresses are sent with all their fields",
  "OPEN-156": "no check asserts which of two concurrent changes wins",
  "OPEN-159": "cancellations are sent one after another",
  "OPEN-160": "the reference server follows the recommendation",
  "OPEN-168": "no endpoint fails in the check that counts subscriptions",
  "OPEN-169": "event types are always changed by a new subscription",
  "OPEN-170": "checks only assert that a test event arrives in time",
  "OPEN-173": "no failed or returned delivery is tracked that long",
  "OPEN-176": "the courier's location is read only in states that require or forbid it",
  "OPEN-185": "requests without a token go to documented routes only",
  "OPEN-192": "no check asserts anything about an event after its last attempt",
  "OPEN-193": "no event may arrive after 410, and whether the service keeps it isn't visible",
  "OPEN-196": "a late response is late in all its parts",
  "OPEN-199": "endpoints are subscribed before the events occur",
  "OPEN-220": "there is one reading",
  "OPEN-203": "positions are distinguished by their events, and are reported at once or with long gaps",
  "OPEN-219": "no variant has a failing proxy",
  "OPEN-226": "an inexact count only makes the checks of limits wait a minute",
  "OPEN-229": "1.125 and 1.1234 have the same number of decimal places in both readings",
  "OPEN-230": "extensions are sent as text with at least one digit",
};

/** Choices outside the API: environments, the panel, and customers' phones. */
const outsideTheApi: Uncovered = {
  "OPEN-15": "the API doesn't show which environment it is",
  "OPEN-18": "reports aren't part of the interface",
  "OPEN-109": "stores are unlinked in the panel",
  "OPEN-132": "text messages go to customers",
  "OPEN-180": "an environment is a base URL with credentials",
  "OPEN-186": "each integrator has one credential",
  "OPEN-227": "panel requests aren't part of the interface",
};

/** Points that another sentence of the specification decides. They are tested as clauses. */
const decidedByTheText: Uncovered = {
  "OPEN-10": "the special rule for test deliveries takes precedence",
  "OPEN-19": "404 is the general rule, and BASKA_POS its stated exception",
  "OPEN-98": "every error has the service's error body",
  "OPEN-189": "receivers must refuse an old timestamp",
  "OPEN-204": "an endpoint receives the event types that it subscribes to",
  "OPEN-231": "a body that violates the schema is refused with DOGRULAMA",
};

/** Choices of receivers and clients. */
const decidedByIntegrators: Uncovered = {
  "OPEN-205": "receivers decide",
  "OPEN-206": "receivers decide",
  "OPEN-207": "receivers decide",
  "OPEN-208": "receivers decide",
  "OPEN-209": "receivers decide",
  "OPEN-210": "receivers decide",
  "OPEN-216": "clients decide",
  "OPEN-217": "clients decide",
  "OPEN-218": "clients decide",
};

/** The open points that all variants resolve as the reference server does, with the reason. */
export const uncoveredOpenPoints: Uncovered = {
  ...notObservable,
  ...outsideTheApi,
  ...decidedByTheText,
  ...decidedByIntegrators,
};
