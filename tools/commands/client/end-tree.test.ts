import { expect, test } from "vitest";
import { type Ending, endTree } from "./end-tree.ts";

function calls(platform: NodeJS.Platform, kill: Ending["kill"] = () => {}): readonly unknown[] {
  const made: unknown[] = [];
  endTree(7, "SIGTERM", {
    platform,
    kill: (...of) => {
      made.push(of);
      kill(...of);
    },
    start: (...of) => void made.push(of),
  });
  return made;
}

test("a group gets the signal, and one that has ended is no fault", () => {
  expect(calls("linux")).toEqual([[-7, "SIGTERM"]]);
  const gone = () => {
    throw new Error("ESRCH");
  };
  expect(calls("darwin", gone)).toEqual([[-7, "SIGTERM"]]);
});

test("Windows, which has no groups, ends the tree by its own program", () => {
  expect(calls("win32")).toEqual([["taskkill", ["/pid", "7", "/t", "/f"]]]);
});
