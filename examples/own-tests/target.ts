import { matchesGlob } from "node:path";
import { checks, type TargetDefinition } from "../../index.ts";

const { SERVICE_URL: url = "http://localhost:8080", CONTROL_TOKEN: token = "", ONLY = "*" } = process.env;

/** The service of these examples: `npm run serve` starts one, and prints its control token. */
export const service: TargetDefinition = { url, control: { url: `${url}/control`, token } };

/** All checks, or those whose id matches the glob in ONLY. */
export const chosen = checks.filter(({ id }) => matchesGlob(id, ONLY));
