import { hasOtherTiming, testLegalServers } from "./legal-servers.ts";

testLegalServers((name) => !hasOtherTiming(name));
