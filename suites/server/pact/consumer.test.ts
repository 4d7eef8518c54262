import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HTTPResponseStatusClass, MatchersV3, PactV4 } from "@pact-foundation/pact";
import createClient from "openapi-fetch";
import { describe, expect, test } from "vitest";
import type { paths } from "../../../openapi/generated/courier-dispatch.ts";
import { httpExpectations, messageExpectations, TOKEN } from "./expectations.ts";

const dir = mkdtempSync(join(tmpdir(), "pact-"));
const consumer = "point-of-sale";
const provider = "courier-dispatch";
const pact = new PactV4({ dir, consumer, provider, logLevel: "warn" });

describe("the expectations of the point of sale", () => {
  test.each(httpExpectations)("$description", async (expectation) => {
    const { description, given, method, path, query, headers, body, status, answer } = expectation;
    await pact
      .addInteraction()
      .given(given)
      .uponReceiving(description)
      .withRequest(method, path, (request) => {
        if (query) request.query(query);
        if (headers) request.headers(headers);
        if (body !== undefined) request.jsonBody(body);
      })
      .willRespondWith(
        status === "success" ? MatchersV3.matchStatus(200, HTTPResponseStatusClass.Success) : status,
        (response) => {
          if (answer !== undefined) response.jsonBody(answer);
        },
      )
      .executeTest(async ({ url }) => {
        const authorization = `Bearer ${TOKEN}`;
        const pointOfSale = createClient<paths>({ baseUrl: url, headers: { authorization } });
        const { response } = await expectation.send(pointOfSale);
        expect(response.status).toBe(status === "success" ? 200 : status);
      });
  });

  test.each(messageExpectations)("$description", async ({ description, contents }) => {
    await pact
      .addAsynchronousInteraction()
      .expectsToReceive(description, (message) => {
        message.withJSONContent(contents);
      })
      .executeTest(async (message) => {
        expect(message.contents.content).toMatchObject({ type: description.split(" ")[1] });
      });
  });
});

test("the committed contract is the generated one (vitest -u updates it)", async () => {
  const made = readFileSync(join(dir, `${consumer}-${provider}.json`), "utf8");
  await expect(`${JSON.stringify(JSON.parse(made), null, 2)}\n`).toMatchFileSnapshot("point-of-sale.json");
});
