import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../embedded.ts";
import { type Account, createDelivery, linkStore, openAccount } from "../accounts.ts";
import { order } from "../orders.ts";
import { request, say } from "./raw-socket.ts";
import { expectRefusal } from "./refusal.ts";

let server: RunningServer;
let account: Account;
let deliveryId: string;
const faults: unknown[] = [];
let named = 0;

beforeAll(async () => {
  server = await startReferenceServer({ reportFault: (error) => faults.push(error) });
  account = await openAccount(server);
  await linkStore(account);
  deliveryId = (await createDelivery(account, "first").expect(201)).body.id;
});
afterAll(() => server.close());
afterEach(() => expect(faults).toEqual([]));

const create = (body: string) =>
  account.api.post("/v1/deliveries").set("idempotency-key", `fault-${++named}`).type("json").send(body);

/** Sends an order as raw bytes. */
async function createOf(body: Buffer, type = "application/json") {
  const head = request("POST /v1/deliveries", [
    `Authorization: Bearer ${account.token}`,
    `Idempotency-Key: fault-${++named}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
  ]);
  const [answer] = await say(server.url, Buffer.concat([Buffer.from(head), body]));
  return answer;
}

/** An order's JSON with something put in front of its first member. */
const orderWith = (members: string) =>
  `{${members}${JSON.stringify(order(`fault-order-${++named}`)).replace("{", ",")}`;

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

const endless = { payment: { type: "NAKIT", amount_due: "ENDLESS" } };

describe("a body that can't be parsed or stored unchanged is refused", () => {
  test.each([
    ["no JSON", "{"],
    ["nothing but a number", "1"],
    ["nothing but null", "null"],
    ["an array", "[]"],
    ["two values", "{} {}"],
    ["a comment", "{/* */}"],
    ["a number that isn't valid JSON", '{"external_ref":NaN}'],
    ["deep arrays", orderWith(`"x":${nested(50_000, "[", "]")}`)],
    ["deep objects", orderWith(`"x":${nested(20_000, '{"a":', "}").replace(":}", ":1}")}`)],
    ["arrays that aren't closed", "[".repeat(100_000)],
    ["a number without end", JSON.stringify(order("infinite", endless)).replace('"ENDLESS"', "1e999")],
    ["a NUL", JSON.stringify(order("a\0b"))],
    ["half a pair", JSON.stringify(order("half")).replace("half", "\\ud83d")],
    [
      "a lone surrogate in a note",
      JSON.stringify(order("note", { notes: "NOTE" })).replace("NOTE", "\\udc00"),
    ],
  ])("%s", async (_what, body) => {
    const answer = await create(body).expect(400);
    expect(answer.body.error.code).toBe("DOGRULAMA");
    expectRefusal(answer);
  });

  test.each([
    ["an overlong form", [0xc0, 0xaf]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a byte that is invalid in UTF-8", [0xff]],
    ["half a character", [0xe2, 0x82]],
    ["a code point beyond U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
  ])("invalid UTF-8: %s", async (_what, bytes) => {
    const [before = "", after = ""] = JSON.stringify(order("X")).split("X");
    const answer = await createOf(
      Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]),
    );
    expect(answer?.status).toBe(400);
    expectRefusal(answer);
  });

  test("text in UTF-16, even if declared", async () => {
    const text = JSON.stringify(order("utf-16"));
    expectRefusal(await createOf(Buffer.from(text, "utf16le"), "application/json; charset=utf-16le"));
    expect((await createOf(Buffer.from(text)))?.status).toBe(201);
  });

  test("a body over the size limit", async () => {
    expectRefusal(await create(orderWith(`"x":"${"y".repeat(2_000_000)}"`)).expect(413));
  });
});

describe("an unusual but valid body is accepted", () => {
  test.each([
    [
      "names of Object.prototype's members",
      orderWith('"__proto__":{"test":true},"constructor":{"prototype":{"test":true}}'),
    ],
    ["a name twice", orderWith('"external_ref":"first-of-two"')],
    ["unusual depth", orderWith(`"x":${nested(50, "[", "]")}`)],
    ["many unknown names", orderWith(Array.from({ length: 10_000 }, (_, index) => `"a${index}":0`).join())],
    ["a huge number in an unknown field", orderWith(`"x":${"9".repeat(10_000)}`)],
    ["spaces", `  \r\n\t${JSON.stringify(order("spaces"))}\n`],
    ["emoji, combining marks and letters of many scripts", JSON.stringify(order("👩🏽‍🍳 é ığüşöç ‮"))],
  ])("%s", async (_what, body) => {
    const answer = await create(body).expect(201);
    expect(answer.body.test).toBe(false);
    expect(answer.body.external_ref).toBe(JSON.parse(body).external_ref);
  });

  test("names of Object.prototype's members in a request don't affect other responses", async () => {
    await create(orderWith('"__proto__":{"polluted":1},"customer":{"__proto__":{"polluted":1},"name":"x"}'));
    expect((await account.api.get(`/v1/deliveries/${deliveryId}`)).body).not.toHaveProperty("polluted");
    expect(Object.prototype).not.toHaveProperty("polluted");
  });
});
