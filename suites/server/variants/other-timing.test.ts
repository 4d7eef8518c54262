import { hasOtherTiming, testLegalServers } from "./legal-servers.ts";

testLegalServers(hasOtherTiming);
