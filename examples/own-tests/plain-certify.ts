/** Plain Node: the verdict on all checks. */
import { certify } from "../../index.ts";
import { chosen, service } from "./target.ts";

const { grade, trouble } = await certify(service, chosen);
console.log(grade.verdict, trouble);
