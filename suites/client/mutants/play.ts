/** Runs a test client as a process: `npm run client -- -- node suites/client/mutants/play.ts NAME`. */
import { type ClientBehaviour, CORRECT_BEHAVIOUR } from "../reference-client/behaviour.ts";
import { ReferenceClient } from "../reference-client/client.ts";
import { clientVariants } from "../variants.ts";
import { clientMutants } from "./index.ts";

const ORDERS = 24;

const named: Readonly<Record<string, { readonly behaviour: Partial<ClientBehaviour> }>> = {
  ...clientVariants,
  ...clientMutants,
};

const {
  BASE_URL: baseUrl = "",
  CLIENT_ID: clientId = "",
  CLIENT_SECRET: clientSecret = "",
  PAIRING_CODE: pairingCode = "",
  TIME_SCALE = "1",
} = process.env;
const [, , name = "plain"] = process.argv;
const client = named[name];
if (!client) throw new Error(`there is no variant and no mutant ${name}`);

await new ReferenceClient(
  { baseUrl, clientId, clientSecret, pairingCode },
  { ...CORRECT_BEHAVIOUR, ...client.behaviour },
  Number(TIME_SCALE),
).play(ORDERS);
