import { expect, test } from "vitest";
import { phone } from "./phone.ts";

test.each([
  ["0532 555 01 23", "+905325550123"],
  ["5325550123", "+905325550123"],
  ["+49 30 901820", "+4930901820"],
  ["00 90 212 555 01 99", "+902125550199"],
  ["dahili 7", "dahili 7"],
])("%s becomes %s", (sent, kept) => expect(phone.international(sent)).toBe(kept));
