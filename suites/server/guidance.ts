import type { GuidanceByGroup } from "../core/guidance.ts";

/** Guidance for groups of checks on servers. */
export const serverGuidance: GuidanceByGroup = {
  subscriptions: {
    why: "An integrator that can't reliably register, list or close its endpoints misses events, or gets events at closed endpoints.",
    causes: [
      "Closed subscriptions are still counted or listed, or open ones are forgotten after a restart.",
      "A rotated secret stays valid next to the new one, or the signing code caches it.",
      "The limit of five counts every endpoint ever registered, or is checked before the transaction.",
    ],
  },
  envelope: {
    why: "A receiver relies on the envelope: without id, type, timestamp and full data it can't tell what happened to which delivery.",
    causes: [
      "data is a summary or an older snapshot instead of the delivery that GET returns.",
      "Each attempt gets a new envelope id.",
      "Times are written in local time, or as numbers.",
    ],
  },
  signatures: {
    why: "Only the signature tells a genuine event from a forged one. A correct receiver refuses events with a wrong signature.",
    causes: [
      "The secret is used as text instead of being decoded from base64 after its prefix.",
      "The body is serialised once to sign it and again to send it, with other white space or escapes.",
      "One key signs for every endpoint, or a signature is computed once and reused for later attempts.",
    ],
  },
  emission: {
    why: "The integrator's screen follows the events: a missing event leaves an order out of date, and an extra one raises a false alarm.",
    causes: [
      "Events are sent before the transaction commits, or after it without an outbox.",
      "A replayed creation or a refused request runs through the code that emits.",
      "The version in the event is read before the change is stored.",
    ],
  },
  "event-kinds": {
    why: "The restaurant and the customer see each step of the courier through its event type. Without the event, nobody sees the step.",
    causes: [
      "An event type is misspelt, or two transitions share one.",
      "Position events are limited across all deliveries instead of per delivery.",
      "A subscription without event_types gets courier positions too.",
    ],
  },
  tracking: {
    why: "Everybody with the link sees the page. It must help the customer, and reveal no phone number, name, address or location.",
    causes: [
      "The tracking response is the full delivery without some fields, and a new field slipped through.",
      "The courier's position is shown from assignment on, or stays after delivery.",
      "The two hours count from creation, or from the last change of any kind.",
    ],
  },
  endpoints: {
    why: "Receivers fail now and then; what counts as a failure decides whether an event is repeated or lost.",
    causes: [
      "The HTTP client follows redirects by default.",
      "Only 5xx or only exceptions count as failures.",
      "The timeout covers only the connection, or the library's default is shorter or longer than 15 seconds.",
    ],
  },
  closing: {
    why: "A service must not call a removed endpoint for days, nor close one that recovers.",
    causes: [
      "410 is treated like any other failure.",
      "A success doesn't clear failing_since, or each failure resets it.",
      "The five days count one event's failures instead of the endpoint's.",
    ],
  },
  retries: {
    why: "An integrator plans its recovery by the schedule: attempts that come too early or never make it lose orders.",
    causes: [
      "Delays count from the event's creation instead of from the previous attempt.",
      "A retry gets a new webhook-id, or keeps the old timestamp and signature.",
      "The schedule has one attempt too few or too many.",
    ],
  },
  idempotency: {
    why: "A till that lost a response sends the order again. Without idempotency two couriers come for one meal.",
    causes: [
      "The key is stored after the order, or outside its transaction, so that a concurrent repetition gets through.",
      "Keys are scoped to the access token, which changes every half hour.",
      "The body isn't compared.",
    ],
  },
  creation: {
    why: "The courier must get every order exactly as the integrator sent it.",
    causes: [
      "Uniqueness of external_ref is checked over all stores, or without a unique index.",
      "Text is trimmed, normalised or stored in a narrow character set.",
      "Optional fields are required, or defaults are missing.",
    ],
  },
  "creation-bounds": {
    why: "Integrators build to the documented bounds: refusing a valid order loses a sale, and an invalid order fails later.",
    causes: [
      "Bounds are off by one, or count bytes where characters are meant.",
      'Types are coerced: "5" becomes 5, "yes" becomes true.',
      "The service stores something before it refuses the request.",
    ],
  },
  "change-bounds": {
    why: "A change must not store a value that a creation would refuse.",
    causes: [
      "PATCH has its own schema, which has drifted from the schema of creations.",
      "null is treated as absent, or absent as null.",
      "Valid fields are stored before an invalid one is found.",
    ],
  },
  "registration-bounds": {
    why: "A courier can't find a store that was registered with invalid data.",
    causes: [
      "The registration's schema is looser than the document, or the column is shorter than 80 characters.",
    ],
  },
  "quote-bounds": {
    why: "A customer waits at the counter for the quote. An invalid request needs a clear error at once, not a random quote.",
    causes: [
      "The language's own parser reads the times. It accepts local times, and an invalid time leads to a 500.",
      "The quote's body is validated by hand instead of by the schema of creations.",
    ],
  },
  "subscription-bounds": {
    why: "A subscription from an invalid request is noticed only when events are missing.",
    causes: [
      "A field of the wrong type is ignored or converted to text.",
      "The record is written before all its fields are validated.",
    ],
  },
  "cancellation-bounds": {
    why: "A cancellation can't be undone: an invalid request must not cancel anything.",
    causes: [
      "The body of a cancellation isn't validated, because it has no required fields.",
      "The delivery is cancelled before its reason is validated.",
    ],
  },
  "token-bounds": {
    why: "Anybody can reach the token endpoint, so it must refuse every request that it doesn't understand.",
    causes: [
      "Credentials reach the comparison or the database without a check of their type.",
      "A validation error isn't caught at this endpoint, and leads to a 500.",
    ],
  },
  "delivery-fields": {
    why: "Integrators' code reads these fields by name and type: a missing field or another type breaks it in production.",
    causes: [
      "Null fields are left out of the response.",
      "Decimal columns come back as strings.",
      "The phone number is returned as it was sent.",
    ],
  },
  "test-deliveries": {
    why: "Integrators try their connection with test orders: they must cost nothing and send no courier.",
    causes: [
      "A test delivery goes through the ordinary queue before it is cancelled.",
      "Credit is charged before the test flag is read.",
    ],
  },
  stores: {
    why: "Requests name a restaurant by the integrator's own id: a lost or wrong link sends couriers to the wrong door.",
    causes: [
      "A repeated registration creates a second store, or requires a code again.",
      "external_store_id is unique across all integrators instead of per integrator.",
    ],
  },
  pairing: {
    why: "The pairing code is the restaurant's consent. A code that works twice, or after it expires, gives the restaurant's orders to someone else.",
    causes: [
      "A code is marked used after the store is stored, and not in the same transaction.",
      "Two concurrent registrations both find the code unused.",
      "The code's expiry isn't checked.",
    ],
  },
  quotes: {
    why: "The till shows the quote to the customer: the delivery must cost that amount.",
    causes: [
      "Quote and delivery compute distance or fee in two places, with different rounding.",
      "A quote leaves a record behind, or uses up credit.",
      "Coordinates of 0,0 are treated as a place in the sea.",
    ],
  },
  areas: {
    why: "The integrator draws the area to tell customers whether they are served.",
    causes: ["The list holds other integrators' stores, or misses stores without a radius of their own."],
  },
  "service-area": {
    why: "An order outside the area must be refused before a courier drives; one inside must not.",
    causes: [
      "The straight-line radius and the road distance are mixed up.",
      "The distance isn't computed again for a new address, or the address is stored before it is refused.",
      "The fee includes VAT, or isn't computed again for a new address.",
    ],
  },
  isolation: {
    why: "Integrators are competitors: nobody may see, change or even guess at another's orders.",
    causes: [
      "A query looks a record up by id without the integrator.",
      "Another integrator's record gets 403, which reveals that it exists.",
      "A filter, a cursor or a sub-resource such as photos skips the check.",
    ],
  },
  credit: {
    why: "Credit is money: cancelled deliveries, quotes and test deliveries must not be charged.",
    causes: ["Credit is charged at creation and not refunded.", "The test flag is read too late."],
  },
  "payment-types": {
    why: "The till maps its own payment types to these codes: an order must accept every listed code.",
    causes: ["The list and the validation use two sources."],
  },
  cancellation: {
    why: "A cancelled order that continues wastes a trip; one that can't be cancelled wastes a meal.",
    causes: [
      "The reason is accepted and not stored.",
      "A second cancellation succeeds silently, or changes the time of the first.",
    ],
  },
  changes: {
    why: "The customer calls back: a change before the courier leaves must reach the courier, and nothing else may change.",
    causes: [
      "PATCH replaces whole objects and drops the fields that weren't named.",
      "null is treated as absent.",
      "Valid fields are stored before an invalid one is found.",
    ],
  },
  "list-filters": {
    why: "Integrators catch up and look up orders through the list: a wrong filter hides orders.",
    causes: [
      "The filter is applied after paging.",
      "Times are compared as text, or before and after are mixed up.",
      "external_ref finds prefixes, or only recent orders.",
    ],
  },
  models: {
    why: "Single steps may be right and their sequences wrong: real orders are changed, cancelled and moved in any order.",
    causes: [
      "A transition is allowed from a state where it isn't, or refused where it is.",
      "A change is stored, but emits no event and keeps the version.",
      "The cursor skips deliveries that change during paging.",
    ],
  },
  paging: {
    why: "After an outage, integrators catch up through the list: the restaurant loses a delivery that paging skips.",
    causes: [
      "The cursor holds only a time, and deliveries with the same time are skipped or repeated.",
      "has_more is true for every full page.",
      "Changes are ordered by when they began instead of when they were committed.",
    ],
  },
  "schedule-changes": {
    why: "Moving a scheduled order that the courier company has planned breaks the plan. If it can't be moved before that, the restaurant has to call.",
    causes: ["The refusal depends only on the time, or has another code."],
  },
  states: {
    why: "The status decides what may still be done. In the wrong state, the search for a courier starts too early, too late or never.",
    causes: [
      "Coordinates of 0,0 or outside the country open a search.",
      "A final state can be left, or a valid change is refused.",
    ],
  },
  authentication: {
    why: "The token is the only key to an integrator's orders.",
    causes: [
      "One endpoint was added without the guard.",
      "Tokens are compared by prefix, or not bound to their credential.",
      "A closed credential's tokens live on until they expire.",
    ],
  },
  tokens: {
    why: "Every integration begins here: an unexpected response stops it at the first request.",
    causes: [
      "An OAuth library returns its own error body.",
      "expires_in is a string, or too long for a cached token.",
    ],
  },
  "content-type": {
    why: "A body that is parsed as the wrong content type changes its meaning.",
    causes: [
      "By default, the framework also parses forms or text.",
      "The type is compared as a whole string, so that a charset parameter breaks it.",
    ],
  },
  times: {
    why: "A time without a zone is three hours off somewhere: the meal is cold, or nobody is there.",
    causes: [
      "The date parser assumes local time or UTC if the zone is missing.",
      "Only Z is accepted, or offsets are dropped.",
      "+ in a query is decoded as a space.",
    ],
  },
  errors: {
    why: "Integrators' code decides by status and code: a wrong one makes it repeat a hopeless request, or give up too early.",
    causes: [
      "The framework's own error body gets through for unknown routes, broken JSON or validation.",
      "details name no field, or the wrong field.",
    ],
  },
  health: {
    why: "Monitoring and support look here first.",
    causes: ["The health check needs a token, or its version is a build number instead of a date."],
  },
  versioning: {
    why: "Clients only call the documented paths.",
    causes: ["A prefix is missing or doubled behind a proxy."],
  },
  clients: {
    why: "A service that treats HTTP clients differently can't be certified: each client sees another service.",
    causes: [
      "A proxy, a firewall or a bot filter refuses requests by their User-Agent.",
      "The response depends on the accepted encoding, or on the case of header names.",
    ],
  },
  limits: {
    why: "A limit that is too low stops a busy evening; without a limit, one integrator can stop all others.",
    causes: [
      "Requests are counted per token or IP address instead of per integrator.",
      "Only successes have the headers, or retry-after is missing.",
      "A proxy responds with 429 and its own body.",
    ],
  },
  courier: {
    why: "The restaurant and the customer follow the courier to the door: each step must be visible, and late changes must be refused.",
    causes: [
      "A time or the courier isn't set with the state.",
      "The status is checked before the transaction of a change or cancellation, not in it.",
      "Final states can be cancelled.",
    ],
  },
  proofs: {
    why: "A photo settles disputes about a delivery, and shows somebody's door.",
    causes: [
      "The photo is re-encoded, or its type guessed from the name.",
      "The image's path needs no token, or doesn't check which integrator owns the delivery.",
    ],
  },
  scheduled: {
    why: "If the search for a courier starts at the scheduled time, the courier comes too late.",
    causes: ["The search starts at the scheduled time, or uses the time of another zone."],
  },
  passive: {
    why: "Integrators' shared code relies on rules that hold for every response: a rare exception breaks it.",
    causes: [
      "A response bypasses the common path: a proxy's error page, a framework's 404, a handler's shortcut.",
      "One endpoint serialises dates or numbers in its own way.",
    ],
  },
};
