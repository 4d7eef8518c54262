/** Plain Node: prints the verdict and the messages of checks that didn't pass. */
import { certify } from "../../index.ts";
import { chosen, service } from "./target.ts";

const { grade, trouble } = await certify(service, chosen);
console.log(grade.verdict, trouble);
