import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type Check, check } from "../../check.ts";
import { expectFields } from "../../support/assertions.ts";
import { createDelivery, readDelivery } from "../../support/orders/deliveries.ts";

/** Several rounds, because concurrent requests don't always overlap. */
const ROUNDS = 3;
const MINUTE_MS = 60_000;

/** Changes of one field each, with new values in each round. */
const changesOf = (round: number, now: number): readonly Schemas["DeliveryChange"][] => [
  { notes: `Note ${round}` },
  { ready_at: isoInstant(now + (20 + 5 * round) * MINUTE_MS) },
  { customer: { name: `Ayşe Yılmaz ${round}` } },
  { customer: { phone_extension: `${100 + round}` } },
];

const versions = check({
  id: "changes.concurrent",
  title:
    "concurrent changes of different fields raise the version by at least the number that succeeded, and none is lost",
  clauses: [clause["DLV-73"], clause["PATCH-18"]],
  async run(context) {
    const { api, attributeTo, now } = context;
    const { id } = await createDelivery(context);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { version } = await readDelivery(api, id);
      const sent = await Promise.all(
        changesOf(round, now()).map(async (change) => ({
          change,
          response: await api.updateDelivery(id, change),
        })),
      );
      // A server may refuse one of two concurrent changes (OPEN-156).
      const accepted = sent.filter(({ response }) => isSuccess(response)).map(({ change }) => change);
      const after = await readDelivery(api, id);
      const note = `${accepted.length} of ${sent.length} concurrent changes of version ${version} succeeded`;
      attributeTo(clause["PATCH-18"]);
      for (const change of accepted)
        expectFields(after, change, "the delivery after concurrent changes of different fields", note);
      attributeTo(clause["DLV-73"]);
      expectThat("version", after.version, { note }).isAtLeast(version + accepted.length);
    }
  },
});

export const changesAtOnceChecks: readonly Check[] = [versions];
