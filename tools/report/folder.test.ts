import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../usage-error.ts";
import { prepareReportFolder, REPORT_FILES, writeReport } from "./files.ts";
import { contextWith, hostileReport } from "./testing/sample-report.ts";

const inFolder = () => mkdtempSync(join(tmpdir(), "report-folder-"));
const write = (folder: string) => writeReport(folder, hostileReport(), contextWith());
const inside = (folder: string) => readdirSync(folder).toSorted();

/** A folder with a report and a file of the user. */
function reportWithNotes(): string {
  const folder = inFolder();
  write(folder);
  writeFileSync(join(folder, "notes.txt"), "mine");
  return folder;
}

test("a new folder and an empty one are accepted", () => {
  const empty = inFolder();
  for (const folder of [empty, join(empty, "new", "below")]) {
    prepareReportFolder(folder);
    write(folder);
    expect(inside(folder)).toEqual(expect.arrayContaining([...REPORT_FILES]));
  }
});

test("an earlier report's files are deleted, so that they can't be mistaken for an aborted run's, and other files are kept", () => {
  const folder = reportWithNotes();
  const [failures = ""] = inside(folder).filter((name) => !name.includes("."));
  writeFileSync(join(folder, failures, "mine.txt"), "mine");
  prepareReportFolder(folder);
  expect(inside(folder)).toEqual(["notes.txt", failures].toSorted());
  expect(inside(join(folder, failures))).toEqual(["mine.txt"]);
});

test.each([
  ["something", "notes.txt", "mine"],
  ["a report of another program", "report.json", '{ "suite": { "name": "another" } }'],
  ["a report.json that isn't JSON", "report.json", "mine"],
])(
  "a folder with %s and without a report of the suite is refused, and nothing in it is changed",
  (_, name, text) => {
    const folder = inFolder();
    writeFileSync(join(folder, name), text);
    mkdirSync(join(folder, "failures"));
    expect(() => prepareReportFolder(folder)).toThrow(UsageError);
    expect(() => prepareReportFolder(folder)).toThrow(
      /^--report .* contains files other than an earlier report of .*folder$/,
    );
    expect(inside(folder)).toEqual(["failures", name].toSorted());
    expect(readFileSync(join(folder, name), "utf8")).toBe(text);
  },
);

test("a symbolic link to a report isn't a report", () => {
  const folder = inFolder();
  symlinkSync(join(reportWithNotes(), "report.json"), join(folder, "report.json"));
  expect(() => prepareReportFolder(folder)).toThrow(/contains files other than an earlier report/);
});

test("a symbolic link with the name of a report's file isn't followed, and nothing is changed", () => {
  const [folder, elsewhere] = [inFolder(), inFolder()];
  write(folder);
  const [failures = ""] = inside(folder).filter((name) => !name.includes("."));
  writeFileSync(join(elsewhere, "creation.new.http"), "mine");
  symlinkSync(elsewhere, join(folder, "linked"));
  prepareReportFolder(folder);
  write(folder);
  expect(inside(folder)).toContain("linked");
  const other = inFolder();
  writeFileSync(join(other, "report.json"), readFileSync(join(folder, "report.json")));
  symlinkSync(elsewhere, join(other, failures));
  expect(() => prepareReportFolder(other)).toThrow(/isn't part of a report/);
  expect(inside(elsewhere)).toEqual(["creation.new.http"]);
});
