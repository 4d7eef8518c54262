import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { textMember } from "../../../core/json.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";

/**
 * Asserts that at most one of several concurrent creations succeeded. All checks use the same field name, because one race
 * in the server fails all of them.
 * @param accepted the successful responses
 * @param which the requests, read after "concurrent creations"
 */
export function expectAtMostOneCreated(
  accepted: readonly ApiResponse<"createDelivery">[],
  which: string,
): void {
  const ids = accepted.map(({ json, status }) => `${textMember(json, "id") ?? "no id"} (${status})`);
  expectThat({ field: "concurrent creations", where: which }, accepted.length, {
    exchanges: accepted.map(({ exchange }) => exchange),
    note: `they created ${ids.join(" and ")}`,
  }).isAtMost(1);
}
