import { expect, test } from "vitest";
import { endTree, type ProcessSystem } from "./end-tree.ts";

function calls(platform: NodeJS.Platform, kill: ProcessSystem["kill"] = () => {}): readonly unknown[] {
  const calls: unknown[] = [];
  endTree(7, "SIGTERM", {
    platform,
    kill: (...of) => {
      calls.push(of);
      kill(...of);
    },
    start: (...of) => void calls.push(of),
  });
  return calls;
}

test("the process group gets the signal, and a group that has already exited is no error", () => {
  expect(calls("linux")).toEqual([[-7, "SIGTERM"]]);
  const gone = () => {
    throw new Error("ESRCH");
  };
  expect(calls("darwin", gone)).toEqual([[-7, "SIGTERM"]]);
});

test("on Windows, which has no process groups, taskkill ends the tree", () => {
  expect(calls("win32")).toEqual([["taskkill", ["/pid", "7", "/t", "/f"]]]);
});
