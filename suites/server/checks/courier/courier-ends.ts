import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import {
  FAILURE_REASON,
  failDelivery,
  finishReturn,
  returnToStore,
  startReturn,
} from "../../support/courier/courier.ts";
import { idsOf, listOnceShown } from "../../support/lists/delivery-list.ts";
import { expectListedAsRead } from "../../support/lists/listed-as-read.ts";
import {
  createDelivery,
  expectOrderKept,
  expectTimeSet,
  readDelivery,
} from "../../support/orders/deliveries.ts";

type CourierContext = ContextFor<"courier">;
type Delivery = Schemas["Delivery"];

/** The courier capability for a delivery that already is at the customer's door. */
const withoutApproach = ({ performCourierAction }: CourierContext) => ({
  performCourierAction,
  performCourierActionsUpTo: async () => {},
});

/** Asserts that the filter status finds a delivery by its status. */
async function expectFoundByStatus({ api }: CourierContext, delivery: Delivery): Promise<void> {
  const { external_ref, status } = delivery;
  const found = await listOnceShown(api, { external_ref, status }, [delivery]);
  expectThat(`the deliveries with status ${status} and the order number`, idsOf(found)).is([delivery.id]);
}

const returned = check({
  id: "courier.returned",
  title:
    "returning the package raises the version and sets returned_at, which is null on the way back, and a final status, which the list shows too",
  clauses: [clause["DLV-51"], clause["STATE-29"], clause["STATE-38"], clause["DLV-97"], clause["LIST-35"]],
  needs: ["courier"],
  async run(context) {
    const created = await createDelivery(context);
    await context.performCourierActionsUpTo(created.id, "arrived");
    const atTheDoor = await readDelivery(context.api, created.id);
    await startReturn(withoutApproach(context), created.id);
    context.attributeTo(clause["DLV-51"]);
    const onTheWayBack = await readDelivery(context.api, created.id);
    expectThat({ field: "returned_at", where: "on the way back" }, onTheWayBack.returned_at ?? null).is(null);
    await finishReturn(context, created.id);
    const delivery = await readDelivery(context.api, created.id);
    expectTimeSet(delivery.returned_at, created, "returned_at", context.now());
    context.attributeTo(clause["DLV-97"]);
    expectThat({ field: "version", where: "on the way back" }, onTheWayBack.version).isMoreThan(
      atTheDoor.version,
    );
    expectThat({ field: "version", where: "after the return" }, delivery.version).isMoreThan(
      onTheWayBack.version,
    );
    context.attributeTo(clause["LIST-35"]);
    await expectListedAsRead(context.api, delivery, "after the return");
    await expectFoundByStatus(context, delivery);
    context.attributeTo(clause["STATE-29"]);
    const refused = await context.api.sendInvalid("cancelDelivery", "cancelling a returned delivery", {
      path: { id: created.id },
      body: { reason: "a request after the final status" },
    });
    refused.expectError(409, "SON_DURUM");
    context.attributeTo(clause["STATE-38"]);
    const change = { path: { id: created.id }, body: { notes: "Çok geç" } };
    (await context.api.sendInvalid("updateDelivery", "the package is returned", change)).expectError(409);
    expectThat(
      { field: "status", where: "after the refused requests" },
      (await readDelivery(context.api, created.id)).status,
    ).is(delivery.status);
  },
});

const failureReason = check({
  id: "courier.failure-reason",
  title:
    "a delivery that failed with a reason has a failure_reason and the fields of its order, in the list too, and a higher version",
  clauses: [clause["DLV-54"], clause["DLV-96"], clause["LIST-34"]],
  needs: ["courier"],
  async run(context) {
    const ordered = await createDelivery(context, { notes: "Ön kapı" });
    const { id } = ordered;
    await context.performCourierActionsUpTo(id, "arrived");
    const atTheDoor = await readDelivery(context.api, id);
    await failDelivery(withoutApproach(context), id, FAILURE_REASON);
    const failed = await readDelivery(context.api, id);
    context.attributeTo(clause["DLV-54"]);
    // Whether the server stores the reason as sent, as a code, or with a prefix is unspecified (OPEN-58).
    expectThat("failure_reason", failed.failure_reason).isText();
    context.attributeTo(clause["DLV-96"]);
    expectOrderKept(failed, ordered, "failed");
    expectThat({ field: "version", where: "after the failure" }, failed.version).isMoreThan(
      atTheDoor.version,
    );
    context.attributeTo(clause["LIST-34"]);
    await expectListedAsRead(context.api, failed, "after the failure");
    await expectFoundByStatus(context, failed);
  },
});

const returnReason = check({
  id: "courier.return-reason",
  title: "a delivery that was returned with a reason for each step of the return has a failure_reason",
  clauses: [clause["DLV-55"]],
  needs: ["courier"],
  async run(context) {
    const { id } = await createDelivery(context);
    await returnToStore(context, id, FAILURE_REASON);
    const { failure_reason } = await readDelivery(context.api, id);
    expectThat("failure_reason", failure_reason).isText();
  },
});

/** Which step of a return has its reason isn't stated. */
const earlyReturnReason = check({
  id: "courier.return-reason-at-the-door",
  title: "a delivery that was returned with a reason for the first step of the return has a failure_reason",
  clauses: [clause["DLV-98"]],
  needs: ["courier"],
  async run(context) {
    const { id } = await createDelivery(context);
    await startReturn(context, id, FAILURE_REASON);
    if (!(await context.performCourierAction(id, "returned")))
      throw new CheckSkipped("the control interface refused the courier action `returned` after `returning`");
    const { failure_reason } = await readDelivery(context.api, id);
    expectThat("failure_reason", failure_reason).isText();
  },
});

export const courierEndsChecks: readonly Check[] = [returned, failureReason, returnReason, earlyReturnReason];
