import { expect, test } from "vitest";
import { RequestIntake } from "./request-intake.ts";

const MB = 1024 * 1024;

async function* bodyOf(text: string) {
  yield Buffer.from(text);
}
const requestWith = ({ url = "/", header = "", body = "" }) =>
  Object.assign(bodyOf(body), { method: "POST", url, rawHeaders: ["x-more", header] });

/** The number of requests that the intake accepts until the run exceeds its limits. */
async function takenBy(request: Parameters<typeof requestWith>[0], answer = ""): Promise<number> {
  const intake = new RequestIntake(() => {});
  let taken = 0;
  const isTaken = () =>
    intake.readLimited(requestWith(request)).then(
      () => true,
      () => false,
    );
  while (taken < 60_000 && (await isTaken())) {
    intake.countKeptBytes(Buffer.from(answer));
    taken += 1;
  }
  return taken;
}

test.each<[string, Parameters<typeof requestWith>[0], string, number]>([
  ["nothing", {}, "", 50_000],
  ["bodies", { body: "x".repeat(MB) }, "", 63],
  ["headers", { header: "x".repeat(MB) }, "", 63],
  ["addresses", { url: "x".repeat(MB) }, "", 63],
  ["answers", {}, "x".repeat(MB), 63],
  ["JSON values", { body: "{},".repeat(100_000) }, "", 9],
])("a run keeps a bounded number of requests with %s", async (_, request, answer, most) => {
  const taken = await takenBy(request, answer);
  expect(taken).toBeGreaterThan(most * 0.9);
  expect(taken).toBeLessThanOrEqual(most + 1);
});

test("a body beyond the limit is reported once, and the run continues", async () => {
  const said: string[] = [];
  const intake = new RequestIntake((text) => said.push(text));
  const tooLarge = () => intake.readLimited(requestWith({ body: "x".repeat(3 * MB) }));
  await expect(tooLarge()).rejects.toThrow("a body of more than 2 MB");
  await expect(tooLarge()).rejects.toThrow();
  expect(said).toEqual(["POST / was cut off: a body of more than 2 MB"]);
  expect((await intake.readLimited(requestWith({ body: "x" }))).toString()).toBe("x");
});
