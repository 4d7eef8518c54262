import type { operations } from "../../../openapi/generated/control.ts";
import { ApiDocument } from "./api-document.ts";

export type ControlOperation = keyof operations;

/** The document of the control interface. */
export const controlApi = new ApiDocument("control", true);
