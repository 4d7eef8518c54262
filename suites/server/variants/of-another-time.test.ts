import { isOfAnotherTime, testLegalServers } from "./legal-servers.ts";

testLegalServers(isOfAnotherTime);
