import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type RunningServer, startReferenceServer } from "../../reference-server/embedded.ts";

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly description?: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}
interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

const repository = fileURLToPath(new URL("../..", import.meta.url));
const text = (path: string): string => readFileSync(join(repository, path), "utf8");
const action: Action = parse(text("action.yml"));
const workflow: Workflow = parse(text(".github/workflows/ci.yml"));
const steps = [...action.runs.steps, ...Object.values(workflow.jobs).flatMap((job) => job.steps)];

describe("action.yml", () => {
  test("declares and describes exactly the inputs that it uses", () => {
    const used = [...text("action.yml").matchAll(/inputs\.([a-z-]+)/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(Object.keys(action.inputs)));
    expect(Object.values(action.inputs).filter(({ description }) => !description?.endsWith("."))).toEqual([]);
  });

  test("its outputs come from existing steps", () => {
    const named = Object.values(action.outputs).flatMap(
      ({ value }) => /steps\.(\w+)\./.exec(value)?.[1] ?? [],
    );
    expect(named).not.toEqual([]);
    expect(action.runs.steps.map(({ id }) => id)).toEqual(expect.arrayContaining(named));
  });

  test("takes no secret as an input, because it could end up in a flag or a log", () => {
    expect(Object.keys(action.inputs).filter((name) => /secret|token|password|code/.test(name))).toEqual([]);
  });

  test.each([
    ["action.yml", action.runs.steps],
    ["ci.yml", Object.values(workflow.jobs).flatMap((job) => job.steps)],
  ])("inserts no input into a script, because it could contain code: %s", (_, all) => {
    expect(all.flatMap(({ run }) => run ?? []).filter((script) => script.includes("${{"))).toEqual([]);
  });
});

describe("the workflow", () => {
  test("runs the tests with read-only permissions", () => {
    expect(steps.map(({ run }) => run)).toContain(".ci/run");
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(existsSync(join(repository, ".ci/run"))).toBe(true);
  });

  test("gives a fork's code no privileges on the runner", () => {
    const { container, env } = parse(text(".github/workflows/ci.yml")).jobs.gate;
    const fork = "github.event.pull_request.head.repo.fork";
    expect(container.options).toBe(`\${{ ${fork} && '--init' || '--privileged' }}`);
    expect(env.WITHOUT_ENGINE).toBe(`\${{ ${fork} && '1' || '' }}`);
    expect(text(".ci/run")).toMatch(
      /if \[ -n "\$\{WITHOUT_ENGINE:-\}" \]; then\n.*\nelif .*\n {2}step 'conform: our image in a container'/,
    );
  });
});

/** Replaces npx: records its arguments, and runs the command of this repository. */
const NPX = `#!/usr/bin/env bash
printf '%s\\n' "$@" >"$NPX_LOG"
while [ "$1" != -- ]; do shift; done
shift 2
exec node "$CLI" "$@"
`;

const TOKEN = "control-token-of-the-action";

describe("the action's script", () => {
  const script = action.runs.steps.find(({ id }) => id === "run");
  let server: RunningServer;

  beforeAll(async () => {
    server = await startReferenceServer({ controlToken: TOKEN });
  });
  afterAll(() => server.close());

  /** Runs the step like a GitHub runner, with these inputs, and the defaults of other inputs. */
  async function runStep(inputs: Readonly<Record<string, string>>, inPlaceOfTheCommand?: string, ref = "") {
    const folder = mkdtempSync(join(tmpdir(), "action-"));
    const file = (name: string, content: string): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const npx = inPlaceOfTheCommand === undefined ? NPX : `#!/usr/bin/env bash\n${inPlaceOfTheCommand}\n`;
    chmodSync(file("npx", npx), 0o755);
    const values: Record<string, string> = { "github.action_path": repository, "github.action_ref": ref };
    for (const [name, input] of Object.entries(action.inputs)) values[`inputs.${name}`] = input.default ?? "";
    for (const [name, value] of Object.entries(inputs)) values[`inputs.${name}`] = value;
    const given = Object.entries(script?.env ?? {}).map(([name, expression]) => [
      name,
      expression.replace(/\$\{\{ (\S+) \}\}/g, (_, key: string) => values[key] ?? ""),
    ]);
    const outputs = file("outputs", "");
    const summary = file("summary.md", "");
    const log = file("npx.log", "");
    const child = spawn(
      "bash",
      ["--noprofile", "--norc", "-eo", "pipefail", file("step.sh", script?.run ?? "")],
      {
        cwd: folder,
        env: {
          ...Object.fromEntries(given),
          PATH: [folder, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
          CLI: join(repository, "bin/source.js"),
          NPX_LOG: log,
          GITHUB_ACTIONS: "true",
          GITHUB_OUTPUT: outputs,
          GITHUB_STEP_SUMMARY: summary,
          CONFORM_CONTROL_TOKEN: TOKEN,
        },
      },
    );
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
      });
    }
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    const read = (path: string) => readFileSync(path, "utf8");
    return { code, printed, folder, outputs: read(outputs), summary: read(summary), npx: read(log) };
  }

  const target = () => ({ url: server.url, "control-url": `${server.url}/control` });

  test("certifies the service in its inputs, and sets its outputs", async () => {
    const ended = await runStep({
      ...target(),
      claims: "api",
      args: "--only idempotency.same-key-same-body --skip 'limits.*'",
      report: "a report",
    });
    expect(ended.outputs, ended.printed).toBe("verdict=INCOMPLETE\nexit-code=2\n");
    expect(ended.code).toBe(2);
    expect(ended.summary).toContain("## INCOMPLETE");
    expect(existsSync(join(ended.folder, "a report", "junit.xml"))).toBe(true);
    expect(ended.npx).toContain("\n--skip\nlimits.*\n");
    const { version } = JSON.parse(text("package.json"));
    expect(ended.npx).toContain(`--package\ncourier-conform@${version}\n--\ncourier-conform\nconform\n`);
    expect(ended.printed + ended.npx + ended.summary).not.toContain(TOKEN);
  });

  test("an image input also installs testcontainers, and the version input selects the package's version", async () => {
    const ended = await runStep({ ...target(), image: "beside-an-address:1", version: "9.9.9" });
    expect(ended.npx).toMatch(
      /^--yes\n--package\ncourier-conform@9\.9\.9\n--package\ntestcontainers@\S+\n--\n/,
    );
    expect(ended.printed).toContain("--url and --image exclude each other");
    expect(ended.outputs).toBe("verdict=ERROR\nexit-code=3\n");
  });

  test.each([
    ["without a report", "true"],
    ["with a truncated report", `printf '' >"$INPUT_REPORT/report.json"`],
    ["with an incomplete report", `printf '{"verdict":"CONF' >"$INPUT_REPORT/report.json"`],
  ])("an aborted run %s is an ERROR, and its outputs are set", async (_, brokenOff) => {
    const ended = await runStep(target(), `mkdir -p "$INPUT_REPORT"; ${brokenOff}; exit 1`);
    expect(ended.outputs, ended.printed).toBe("verdict=ERROR\nexit-code=3\n");
    expect(ended.code).toBe(3);
  });

  test.each([
    ["CONFORMANT", 0],
    ["NONCONFORMANT", 1],
    ["NONCONFORMANT", 0],
    ["INCOMPLETE", 2],
    ["ERROR", 3],
  ])("sets the verdict and the exit code: %s with exit code %i", async (verdict, code) => {
    const report = `printf '{"verdict":"${verdict}"}' >"$INPUT_REPORT/report.json"`;
    const ended = await runStep(target(), `mkdir -p "$INPUT_REPORT"; ${report}; exit ${code}`);
    expect(ended.outputs, ended.printed).toBe(`verdict=${verdict}\nexit-code=${code}\n`);
    expect(ended.code).toBe(code);
  });

  test("a killed run is an ERROR, and an earlier run's report isn't used", async () => {
    const early = `mkdir -p "$INPUT_REPORT"; test ! -e "$INPUT_REPORT/report.json" && kill -KILL $$`;
    const ended = await runStep({ ...target(), report: "." }, early);
    expect(ended.outputs, ended.printed).toBe("verdict=ERROR\nexit-code=3\n");
    expect(ended.code).toBe(3);
  });

  test.each<[string, string, Readonly<Record<string, string>>, readonly string[]]>([
    ["a major tag judges as the first patch of its minor version", "v0", {}, ["--as-of", "previous"]],
    ["the version input also applies at a major tag", "v0", { "as-of": "0.1" }, ["--as-of", "0.1"]],
    ["a given package is judged as its own version", "v0", { version: "0.1.0" }, []],
    ["a release tag is judged as its own version", "v0.1.0", {}, []],
    ["a branch is judged as its own version", "main", {}, []],
  ])("%s", async (_, ref, inputs, expected) => {
    const ended = await runStep(inputs, `printf '%s\\n' "$@" >"$NPX_LOG"`, ref);
    const given = ended.npx.split("\n");
    const at = given.indexOf("--as-of");
    expect(at < 0 ? [] : given.slice(at, at + 2)).toEqual(expected);
  });

  test("runs and grades a client: the arguments after -- are the client's command", async () => {
    const ended = await runStep({
      command: "client",
      strict: "true",
      args: "--time-scale 0.05 -- node --version",
    });
    expect(ended.npx).toMatch(/\n--strict\n--time-scale\n0\.05\n--\nnode\n--version\n$/);
    expect(ended.outputs, ended.printed).toBe("verdict=INCOMPLETE\nexit-code=2\n");
  });

  test.each([
    ["an unknown command", { command: "serve" }, "command must be conform, receiver or client"],
    ["a quote that isn't closed", { args: "--only 'a" }, "args has an unclosed quote"],
    ["an empty report folder", { report: "" }, "report must be the name of a folder"],
  ])("a mistake is reported as one error with exit code 3: %s", async (_, inputs, message) => {
    const ended = await runStep(inputs);
    expect(ended.printed).toContain(`::error::${message}\n`);
    expect(ended.outputs).toBe("verdict=ERROR\nexit-code=3\n");
    expect(ended.code).toBe(3);
    expect(ended.npx).toBe("");
  });
});
