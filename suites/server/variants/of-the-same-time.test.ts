import { isOfAnotherTime, testLegalServers } from "./legal-servers.ts";

testLegalServers((name) => !isOfAnotherTime(name));
