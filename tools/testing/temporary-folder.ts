import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What tests write for a while goes to one folder, which is gone after the run. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "courier-conform-"));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
