import supertest from "supertest";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { type RunningServer, startReferenceServer } from "../../reference-server/embedded.ts";
import { withSandbox } from "../sandbox.ts";
import { SignInLink } from "./sign-in-link.ts";

let server: RunningServer;
let deps: Dependencies;
let link: SignInLink;
let used = 0;

beforeAll(async () => {
  const controlToken = "control-token-of-the-test";
  link = new SignInLink(controlToken, () => {
    used += 1;
  });
  server = await startReferenceServer({
    controlToken,
    mutate: (original) => {
      deps = withSandbox(null, { signInLink: link })(original);
      return deps;
    },
  });
});
afterAll(() => server.close());

const signIn = (key: unknown) => supertest(server.url).post("/console/api/sign-in").send({ key });
const keyOf = (url: string) => new URL(url).hash.slice("#key=".length);

test("the link's key returns the control token once; afterwards only the next link works", async () => {
  const url = link.at(deps, `${server.url}/console`);
  expect(url).toMatch(/\/console#key=.{20,}$/);
  expect(url).not.toContain(server.controlToken);
  const { body } = await signIn(keyOf(url)).expect(200).expect("cache-control", "no-store");
  expect(body).toEqual({ control_token: server.controlToken });
  await signIn(keyOf(url)).expect(401);
  const next = link.at(deps, `${server.url}/console`);
  await signIn(keyOf(url)).expect(401);
  await signIn(keyOf(next)).expect(200);
  expect(used).toBe(2);
});

test.each(["", "wrong", 5, null])("any other key is refused: %j", async (key) => {
  const { status, text } = await signIn(key);
  expect([400, 401]).toContain(status);
  expect(text).not.toContain(server.controlToken);
});

test("there is no sign-in without a link", async () => {
  const plain = await startReferenceServer({ mutate: withSandbox(null) });
  await supertest(plain.url).post("/console/api/sign-in").send({ key: "wrong" }).expect(401);
  await plain.close();
});

test("/ redirects to the console if there is one", async () => {
  await supertest(server.url).get("/").expect(302).expect("location", "/console");
  const plain = await startReferenceServer({ controlToken: null, mutate: withSandbox(null) });
  await supertest(plain.url).get("/").expect(404);
  await plain.close();
});
