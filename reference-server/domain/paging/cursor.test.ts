import { describe, expect, test } from "vitest";
import { cursor } from "./cursor.ts";

describe("the cursor", () => {
  const place = { updated_at: 1_795_234_384_695, change_number: 42 };
  test("decodes to the position that was encoded", () =>
    expect(cursor.decode(cursor.encode(place))).toEqual(place));
  test.each(["", "abc", "null", cursor.encode(place).slice(0, -1), `${cursor.encode(place).slice(0, 5)}AA`])(
    "%j is none",
    (text) => expect(cursor.decode(text)).toBeUndefined(),
  );
});
