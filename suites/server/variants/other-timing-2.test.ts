import { OTHER_TIMING, testLegalServers } from "./legal-servers.ts";

testLegalServers((name) => OTHER_TIMING[1].includes(name));
