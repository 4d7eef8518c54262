import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../embedded.ts";
import { type Account, linkStore, openAccount } from "../accounts.ts";
import { request, say } from "./raw-socket.ts";
import { expectRefusal } from "./refusal.ts";

let server: RunningServer;
let account: Account;
const faults: unknown[] = [];

beforeAll(async () => {
  server = await startReferenceServer({ reportFault: (error) => faults.push(error) });
  account = await openAccount(server);
  await linkStore(account);
});
afterAll(() => server.close());
afterEach(() => expect(faults).toEqual([]));

describe("content types are parsed strictly", () => {
  const quote = JSON.stringify({ store: { external_store_id: "s1" }, dropoff: { lat: 41.02, lng: 28.99 } });
  const quoteAs = (type: string) => account.api.post("/v1/quotes").set("content-type", type).send(quote);

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "Application/JSON ; charset=utf-8; x=y",
    "application/json;",
  ])("%s is JSON", async (type) => {
    await quoteAs(type).expect(200);
  });

  test.each([
    "text/json",
    "application/json, text/plain",
    "application/jsonp",
    "application/x-json",
    "application/vnd.api+json",
    "json",
    "*/*",
    ";",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
  ])("%s isn't", async (type) => {
    expectRefusal(await quoteAs(type).expect(415));
  });

  test.each(["gzip", "br", "deflate, gzip"])("JSON declared as %s is refused", async (coding) => {
    const answer = await quoteAs("application/json").set("content-encoding", coding).expect(415);
    expectRefusal(answer);
    expect(answer.body.error.details).toEqual({ content_encoding: coding });
  });

  test("an empty content type is refused", async () => {
    const headers = [
      `Authorization: Bearer ${account.token}`,
      "Content-Type:",
      `Content-Length: ${Buffer.byteLength(quote)}`,
    ];
    const [answer] = await say(server.url, request("POST /v1/quotes", headers, quote));
    expect(answer?.status).toBe(415);
    expectRefusal(answer);
  });
});
