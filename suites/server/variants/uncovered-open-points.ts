import type { OpenPoints } from "../../../openapi/generated/clauses.ts";

type Untaken = Readonly<Partial<OpenPoints>>;

/** Choices that no request of the suite can reveal. */
const unseen: Untaken = {
  "OPEN-7": "times are sent in one form",
  "OPEN-30": "bounds are tried in ASCII and in Turkish letters, where the readings agree",
  "OPEN-50": "a fee is looked at where an order is opened and where its point is changed",
  "OPEN-63": "no coordinates are sent that can't exist",
  "OPEN-66": "the reference's quotes and deliveries share one road; mutants show that the check tells",
  "OPEN-67": "couriers are on shift wherever a place has to be served",
  "OPEN-68": "quotes are asked without a schedule, or with one that is well ahead",
  "OPEN-88": "coordinates come in pairs of numbers",
  "OPEN-90": "a recommendation, of which the reference does what is recommended",
  "OPEN-92": "nobody takes a courier off",
  "OPEN-94": "no check waits so long",
  "OPEN-95": "there is one reading",
  "OPEN-102": "a recommendation, of which the reference does what is recommended",
  "OPEN-104": "registrations are repeated in full",
  "OPEN-105": "each code is used for one identifier",
  "OPEN-120": "repeats follow within seconds",
  "OPEN-121": "a key goes with creations alone",
  "OPEN-123": "at most one record is all that is asked of two at once",
  "OPEN-126": "only clearly wrong types are sent",
  "OPEN-131": "orders come from stores with a location",
  "OPEN-151": "a recommendation, of which the reference does what is recommended",
  "OPEN-152": "addresses are sent whole",
  "OPEN-156": "the winner of two changes isn't asked for",
  "OPEN-159": "cancellations come one after the other",
  "OPEN-160": "a recommendation, of which the reference does what is recommended",
  "OPEN-168": "no address fails where they are counted",
  "OPEN-169": "kinds are changed by a new subscription everywhere",
  "OPEN-170": "a test arrives, and that is all that is asked within the time",
  "OPEN-173": "no failed or returned delivery is tracked so long",
  "OPEN-176": "the location is looked for in clear states",
  "OPEN-185": "known routes are asked without a token",
  "OPEN-192": "nothing is asked of an event after its last attempt",
  "OPEN-193": "nothing may arrive after 410, whatever becomes of it inside",
  "OPEN-196": "an answer is late as a whole",
  "OPEN-199": "addresses are subscribed first",
  "OPEN-220": "there is one reading",
  "OPEN-203": "positions are told apart by their events, and come at once or well apart",
  "OPEN-219": "no proxy breaks down",
  "OPEN-226": "a count that isn't exact costs a minute's rest at the limits, and no verdict",
  "OPEN-229": "1.125 and 1.1234 are the same in both readings",
  "OPEN-230": "extensions are texts of at least one digit",
};

/** Choices outside the integrators' interface: environments, panels, customers' phones, couriers' cameras. */
const elsewhere: Untaken = {
  "OPEN-15": "which environment it is isn't said anywhere",
  "OPEN-18": "reports aren't part of the interface",
  "OPEN-109": "stores are unlinked in a panel",
  "OPEN-132": "text messages go to customers",
  "OPEN-180": "an environment is an address and credentials, whichever they are",
  "OPEN-186": "an integrator has one credential",
  "OPEN-227": "panel requests aren't part of the interface",
};

/** Points that another sentence of the specification decides, so that they are clauses. */
const settled: Untaken = {
  "OPEN-10": "the rule for test deliveries is the special one",
  "OPEN-19": "404 is the rule, and BASKA_POS its named exception",
  "OPEN-98": "every error has the service's body",
  "OPEN-189": "receivers have to refuse an old timestamp",
  "OPEN-204": "an address gets what it subscribes to",
  "OPEN-231": "what doesn't fit the schema is refused with DOGRULAMA",
};

/** Choices of receivers and clients. */
const integrators: Untaken = {
  "OPEN-205": "a receiver's",
  "OPEN-206": "a receiver's",
  "OPEN-207": "a receiver's",
  "OPEN-208": "a receiver's",
  "OPEN-209": "a receiver's",
  "OPEN-210": "a receiver's",
  "OPEN-216": "a client's",
  "OPEN-217": "a client's",
  "OPEN-218": "a client's",
};

/** Open points that all variants resolve as the reference server does, with the reason. */
export const untaken: Untaken = { ...unseen, ...elsewhere, ...settled, ...integrators };
