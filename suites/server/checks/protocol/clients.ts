import { clause } from "../../../../openapi/generated/clauses.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { isSuccess } from "../../../core/responses.ts";
import { described } from "../../../core/text/shown-value.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { near } from "../../support/orders/orders.ts";
import { quoteRequest } from "../../support/service-area.ts";

type Client = ReturnType<BaseContext["asEachClient"]>[number];
type Send = (client: Client) => Promise<ApiResponse<OperationId>>;

/**
 * "success", or the status of a refusal. The bodies aren't compared, because orders differ in ids and times.
 */
const outcomeOf = ({ raw }: ApiResponse<OperationId>): string =>
  isSuccess(raw) ? "success" : String(raw.status);

/** Sends one request in the guise of each simulated HTTP client, and asserts that every client gets 2xx. */
async function expectSuccessForEach(clients: readonly Client[], send: Send): Promise<void> {
  const responses: { readonly name: string; readonly response: ApiResponse<OperationId> }[] = [];
  for (const client of clients) responses.push({ name: client.name, response: await send(client) });
  const refused = responses.find(({ response }) => !isSuccess(response.raw));
  if (!refused) return;
  const { exchange } = refused.response;
  if (responses.every(({ response }) => outcomeOf(response) === outcomeOf(refused.response)))
    refused.response.expectSuccess();
  throw new CheckFailure(
    {
      subject: `the response to ${exchange.operation}`,
      relation: "to be",
      expected: described("2xx for every client"),
      actual: responses.map(({ name, response }) => described(`${outcomeOf(response)} for ${name}`)),
      note: "the requests differ only in the user agent and the order of headers",
    },
    { exchange },
  );
}

const sameOutcomes = check({
  id: "clients.alike",
  title: "different HTTP clients get the same responses to the same requests",
  clauses: [
    clause["HEALTH-1"],
    clause["PAY-5"],
    clause["REG-25"],
    clause["QUOTE-16"],
    clause["NEW-1"],
    clause["DLV-57"],
    clause["LIST-1"],
    clause["CANCEL-1"],
  ],
  async run({ asEachClient, store, order, point, attributeTo }) {
    const clients = asEachClient();
    attributeTo(clause["HEALTH-1"]);
    await expectSuccessForEach(clients, ({ anonymous }) => anonymous.call("getHealth"));
    attributeTo(clause["PAY-5"]);
    await expectSuccessForEach(clients, ({ api }) => api.call("listPaymentTypes"));
    const { external_store_id } = await store();
    attributeTo(clause["REG-25"]);
    await expectSuccessForEach(clients, ({ api }) => api.getStore(external_store_id));
    attributeTo(clause["QUOTE-16"]);
    const quote = quoteRequest({ external_store_id }, near(point));
    await expectSuccessForEach(clients, ({ api }) => api.createQuote(quote));
    const created = new Map<Client, string>();
    attributeTo(clause["NEW-1"]);
    await expectSuccessForEach(clients, async (client) => {
      const response = await client.api.createDelivery(await order());
      if (isSuccess(response.raw)) created.set(client, response.body(201).id);
      return response;
    });
    const ownDelivery = (client: Client) => created.get(client) ?? "";
    attributeTo(clause["DLV-57"]);
    await expectSuccessForEach(clients, (client) => client.api.getDelivery(ownDelivery(client)));
    attributeTo(clause["LIST-1"]);
    await expectSuccessForEach(clients, ({ api }) => api.listDeliveries({ limit: 1 }));
    attributeTo(clause["CANCEL-1"]);
    await expectSuccessForEach(clients, (client) => client.api.cancelDelivery(ownDelivery(client)));
  },
});

export const clientsChecks: readonly Check[] = [sameOutcomes];
