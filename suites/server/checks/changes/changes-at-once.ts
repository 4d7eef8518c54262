import { clause } from "../../../../openapi/generated/clauses.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { isSuccess } from "../../../core/responses.ts";
import { createDelivery, readDelivery } from "../../support/orders/deliveries.ts";
import { type Check, check } from "../define.ts";

const CONCURRENT_CHANGES = 4;
/** Several rounds, because concurrent requests don't always overlap. */
const ROUNDS = 3;

const versions = check({
  id: "changes.concurrent",
  title: "concurrent changes raise the version by at least the number that succeeded",
  clauses: [clause["DLV-73"]],
  mutants: ["concurrent-changes-share-a-version"],
  async run(context) {
    const { api } = context;
    const { id } = await createDelivery(context);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { version } = await readDelivery(api, id);
      const responses = await Promise.all(
        Array.from({ length: CONCURRENT_CHANGES }, (_, index) =>
          api.updateDelivery(id, { notes: `Note ${round}.${index}` }),
        ),
      );
      const successes = responses.filter(isSuccess).length;
      const after = (await readDelivery(api, id)).version;
      const note = `${successes} of ${CONCURRENT_CHANGES} concurrent changes of version ${version} succeeded`;
      expectThat("version", after, { note }).isAtLeast(version + successes);
    }
  },
});

export const changesAtOnceChecks: readonly Check[] = [versions];
