import { testMutantsOfFile } from "./mutants/gate-in-parts.ts";

testMutantsOfFile(1);
