import type { GuidanceByGroup } from "../core/guidance.ts";

/** Guidance for groups of checks on servers. */
export const serverGuidance: GuidanceByGroup = {
  subscriptions: {
    why: "An integrator that can't register, list or close its addresses reliably misses events, or gets those that it closed.",
    causes: [
      "Closed subscriptions are still counted or listed, or open ones are forgotten after a restart.",
      "A rotated secret is kept beside the new one, or cached where events are signed.",
      "The limit of five counts every address ever registered, or is checked before the transaction.",
    ],
  },
  envelope: {
    why: "A receiver finds its way by the envelope: without id, type, timestamp and full data it can't tell what happened to what.",
    causes: [
      "data is a summary or an older snapshot rather than the delivery as it is read.",
      "The envelope's id differs from the webhook-id, or is made anew for each attempt.",
      "Times are written in local time, or as numbers.",
    ],
  },
  signatures: {
    why: "The signature is all that tells a genuine event from a forged one; a receiver that does it right refuses what is signed wrong.",
    causes: [
      "The secret is used as text instead of being decoded from base64 after its prefix.",
      "The body is serialised once to sign it and again to send it, with other white space or escapes.",
      "One key signs for every address, or a signature is made once and reused for later attempts.",
    ],
  },
  emission: {
    why: "The integrator's screen follows the events: one too few leaves an order standing still, one too many alarms for nothing.",
    causes: [
      "Events are sent before the transaction commits, or after it without an outbox.",
      "A replayed creation or a refused request runs through the code that emits.",
      "The version in the event is read before the change is stored.",
    ],
  },
  "event-kinds": {
    why: "Each step of the courier is shown to the restaurant and the customer by its own kind; a kind that is missing is a step unseen.",
    causes: [
      "A kind is misspelt, or two moves share one.",
      "Positions are limited over all deliveries together instead of each on its own.",
      "A subscription without a list gets courier positions too.",
    ],
  },
  tracking: {
    why: "Everybody with the link sees the page. It must help the customer, and reveal no phone number, name, address or location.",
    causes: [
      "The tracking answer is made from the full delivery by leaving fields out, and a new one slipped through.",
      "The courier's position is shown from assignment on, or stays after delivery.",
      "The two hours count from creation, or from the last change of any kind.",
    ],
  },
  endpoints: {
    why: "Receivers fail now and then; what counts as a failure decides whether an event is repeated or lost.",
    causes: [
      "The HTTP client follows redirects by default.",
      "Only 5xx or only exceptions count as failures.",
      "The timeout covers the connection alone, or the library's default is shorter or longer than 15 seconds.",
    ],
  },
  closing: {
    why: "An address that is gone must not be hammered for days, and one that recovers must not be closed.",
    causes: [
      "410 is treated like any other failure.",
      "failing_since is not cleared by a success, or starts anew with each failure.",
      "The five days count failures of one event instead of the address's uninterrupted run.",
    ],
  },
  retries: {
    why: "An integrator plans its recovery by the schedule: attempts that come too early or never make it lose orders.",
    causes: [
      "Waits are counted from the creation of the event instead of from the attempt before.",
      "A retry makes a new webhook-id, or keeps the old timestamp and signature.",
      "The schedule has one attempt too few or too many.",
    ],
  },
  idempotency: {
    why: "A till that lost an answer sends the order again. Without idempotency two couriers come for one meal.",
    causes: [
      "The key is stored after the order, or outside its transaction, so that a repeat at the same time gets through.",
      "Keys are scoped to the access token, which changes every half hour.",
      "The body isn't compared, or a refused request burns its key.",
    ],
  },
  creation: {
    why: "Opening a delivery is what the service is for: what was ordered must arrive at the courier as it was ordered.",
    causes: [
      "Uniqueness of external_ref is checked over all stores, or without a unique index.",
      "Text is trimmed, normalised or stored in a narrow character set.",
      "Optional fields are required, or defaults are missing.",
    ],
  },
  "creation-bounds": {
    why: "Integrators build to the documented bounds: a legal order that is refused is a lost sale, an illegal one that is taken fails later.",
    causes: [
      "Bounds are off by one, or count bytes where characters are meant.",
      'Types are coerced: "5" becomes 5, "yes" becomes true.',
      "A refusal happens after something was stored already.",
    ],
  },
  "change-bounds": {
    why: "What can't be ordered must not get in by a later change either.",
    causes: [
      "PATCH has a schema of its own that has drifted from that of creation.",
      "null is treated as absent, or absent as null.",
      "Fields before the bad one are stored already when it is found.",
    ],
  },
  "registration-bounds": {
    why: "A store that is registered with odd data is one that no courier finds.",
    causes: [
      "The registration's schema is looser than the document, or the column is shorter than 80 characters.",
    ],
  },
  "quote-bounds": {
    why: "A quote is asked for while a customer waits at the counter: a wrong question has to be named at once, and not answered at random.",
    causes: [
      "A time is parsed by the language's own parser, which takes local times and answers 500 for what is none.",
      "The quote's body is validated by hand and not by the schema that creations are held against.",
    ],
  },
  "subscription-bounds": {
    why: "An address that was registered from a broken request is found out only when events are missing.",
    causes: [
      "A field of another type is left out or turned into text, and the subscription is made without it.",
      "The record is written before all of its fields have been looked at.",
    ],
  },
  "cancellation-bounds": {
    why: "A cancellation can't be taken back: a request that doesn't fit must not cancel anything.",
    causes: [
      "The body of a cancellation isn't validated, since nothing in it is required.",
      "The delivery is cancelled first, and its reason is read afterwards.",
    ],
  },
  "token-bounds": {
    why: "The token endpoint is the one that anybody can reach: what it doesn't understand it has to refuse, and never let in.",
    causes: [
      "Credentials reach the comparison or the database as whatever the JSON held.",
      "A validation error isn't caught at this endpoint, and ends as 500.",
    ],
  },
  "delivery-fields": {
    why: "Integrators' code reads these fields by name and type: one that is missing or of another type breaks it in production.",
    causes: [
      "Null fields are left out of the answer.",
      "Decimal columns come back as strings.",
      "The phone stays in the form in which it was sent.",
    ],
  },
  "test-deliveries": {
    why: "Integrators try their connection with test orders: they must cost nothing and send nobody anywhere.",
    causes: [
      "A test delivery goes through the ordinary queue before it is cancelled.",
      "Credit is counted before the test flag is looked at.",
    ],
  },
  stores: {
    why: "Everything refers to the restaurant by the integrator's own id; a link that is lost or mixed up sends couriers to the wrong door.",
    causes: [
      "A repeated registration makes a second store, or asks for a code again.",
      "external_store_id is unique over all integrators instead of for each.",
    ],
  },
  pairing: {
    why: "The pairing code is the restaurant's consent. One that works twice, or after its time, gives its orders to someone else.",
    causes: [
      "A code is marked used after the store is stored, and not in the same transaction.",
      "A refused registration burns its code.",
      "An expired code isn't told from a wrong one in time.",
    ],
  },
  quotes: {
    why: "The till shows the quote to the customer: what it says is what the delivery has to cost.",
    causes: [
      "Quote and delivery compute distance or fee in two places, with other rounding.",
      "A quote leaves a record behind, or uses up credit.",
      "Coordinates of 0,0 are taken for a place in the sea.",
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
      "A change of address isn't measured anew, or is stored before it is refused.",
      "The fee includes VAT, or isn't computed again for a new address.",
    ],
  },
  isolation: {
    why: "Integrators are competitors: nobody may see, change or even guess at another's orders.",
    causes: [
      "A query looks a record up by id without the integrator.",
      "Another's record answers 403, which tells that it exists.",
      "A filter, a cursor or a sub-resource such as photos skips the check.",
    ],
  },
  credit: {
    why: "Credit is money: what is cancelled, quoted or tried out must not be charged.",
    causes: ["Credit is taken at creation and not given back.", "The test flag is looked at too late."],
  },
  "payment-types": {
    why: "The till maps its own payment kinds to these codes; a code that the list shows must open an order.",
    causes: ["The list and the validation come from two sources."],
  },
  cancellation: {
    why: "A cancelled order that goes on costs a trip, and one that can't be cancelled a meal.",
    causes: [
      "The reason is accepted and not stored.",
      "A second cancellation succeeds silently, or changes the time of the first.",
    ],
  },
  changes: {
    why: "The customer calls back: whatever is changed before the courier leaves must reach the courier, and nothing else may change.",
    causes: [
      "PATCH replaces whole objects and drops the fields that weren't named.",
      "null isn't told from absent.",
      "A bad field is found after good ones were stored.",
    ],
  },
  "list-filters": {
    why: "Catching up and looking an order up go through the list: a filter that leaves too much or too little hides orders.",
    causes: [
      "The filter is applied after the page was cut.",
      "Times are compared as text, or with the wrong side included.",
      "external_ref finds prefixes, or only recent orders.",
    ],
  },
  models: {
    why: "Single steps may be right and their sequences wrong: real orders are changed, cancelled and moved in any order.",
    causes: [
      "A transition is allowed from a state where it isn't, or refused where it is.",
      "A change is stored but neither told nor counted in the version.",
      "The cursor skips deliveries that changed while paging went on.",
    ],
  },
  paging: {
    why: "After an outage the list is the only way back: a delivery that paging skips is lost for the restaurant.",
    causes: [
      "The cursor holds a time alone, and deliveries that share it are skipped or repeated.",
      "has_more is guessed from the page being full.",
      "Changes are ordered by when they began instead of when they were committed.",
    ],
  },
  "schedule-changes": {
    why: "A scheduled order that moves after the courier company has planned it breaks the plan; one that can't move before is a needless call.",
    causes: ["The refusal depends on the time alone, or comes with another code."],
  },
  states: {
    why: "The status decides what may still be done. A delivery in the wrong state is searched for too early, too late or never.",
    causes: [
      "Coordinates of 0,0 or outside the country open a search.",
      "A final state can be left, or a change is refused without the reason.",
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
    why: "Every integration begins here; an answer in another form stops it at the first line.",
    causes: [
      "An OAuth library answers with its own error body.",
      "expires_in is a string, or what is left of a cached token.",
    ],
  },
  "content-type": {
    why: "A body that is read under a wrong declaration means something else than was sent.",
    causes: [
      "The framework parses forms or text as well unless told not to.",
      "The type is compared as a whole string, so that a charset parameter breaks it.",
    ],
  },
  times: {
    why: "A time without a zone is three hours off somewhere: the meal is cold, or nobody is there.",
    causes: [
      "The date parser takes a missing zone for local time or UTC.",
      "Only Z is taken, or offsets are dropped.",
      "+ in a query is decoded as a space.",
    ],
  },
  errors: {
    why: "Integrators' code decides by status and code: a wrong one makes it retry what never works, or give up what would.",
    causes: [
      "The framework's own error body gets through for unknown routes, broken JSON or validation.",
      "details name no field, or another one.",
    ],
  },
  health: {
    why: "Monitoring and support look here first.",
    causes: ["The health check needs a token, or its version is a build number instead of a date."],
  },
  versioning: {
    why: "Paths are the contract: a service at other paths is another service.",
    causes: ["A prefix is missing or doubled behind a proxy."],
  },
  clients: {
    why: "What is right for one client and wrong for another can't be certified: each tests what it happens to get.",
    causes: [
      "A proxy, a firewall or a bot filter in front refuses what it takes for a program by its name.",
      "The encoding that a client accepts, or the spelling of its headers, leads to another answer.",
    ],
  },
  limits: {
    why: "A limit that bites too early stops a busy evening; one that doesn't bite lets one integrator stop all others.",
    causes: [
      "The count is kept for each token or address instead of for the identity.",
      "The headers are set on successes alone, or retry-after is missing.",
      "A proxy in front answers 429 with a body of its own.",
    ],
  },
  courier: {
    why: "From assignment to the door is what restaurant and customer watch; each step must show and nothing may be changed too late.",
    causes: [
      "A time or the courier isn't set with the state.",
      "Changes and cancellations are checked against the status before the move, not within its transaction.",
      "Final states can be cancelled.",
    ],
  },
  proofs: {
    why: "A photo settles who is right when a delivery is disputed, and it shows somebody's door.",
    causes: [
      "The photo is re-encoded, or its type guessed from the name.",
      "The picture's path is open, or checks the proof's id and not whose delivery it is.",
    ],
  },
  scheduled: {
    why: "A courier who is sought at the scheduled time comes too late.",
    causes: ["The search begins at the scheduled time, or a clock in another zone decides."],
  },
  passive: {
    why: "What holds for every answer is what integrators' common code is built on: one exception breaks it at some rare moment.",
    causes: [
      "An answer is made beside the common path: a proxy's error page, a framework's 404, a handler's shortcut.",
      "One endpoint serialises dates or numbers in its own way.",
    ],
  },
};
