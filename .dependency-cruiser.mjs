// Which imports are allowed. Type imports count; tests are exempt if a rule says so.
// tools/testing/imports/import-rules.test.ts has a violation of each rule.

const TEST = "\\.test\\.ts$|/testing/|^vitest\\.config\\.ts$";
const GRADER = "^suites/(server|receiver|client)/";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-circle",
      comment: "No import cycles. Move the shared part to a third file.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "core-knows-no-grader",
      comment: "Code that all suites share imports none of them.",
      severity: "error",
      from: { path: "^suites/core/" },
      to: { path: "^suites/(?!core/)" },
    },
    {
      name: "engine-knows-no-suite",
      comment: "The engine runs the checks of every suite. It only uses a target's interface.",
      severity: "error",
      from: { path: "^suites/engine/" },
      to: { path: "^suites/(?!(core|engine)/)" },
    },
    {
      name: "no-test-runner-at-work",
      comment:
        "Checks run in any program: the command line, vitest, node:test, plain Node. Only tests load a test runner.",
      severity: "error",
      from: {
        path: "^(index\\.ts$|types\\.ts$|reference-server/|sandbox/|suites/|tools/)",
        pathNot: `^suites/core/(mutation/|element-mutants\\.ts$)|^suites/[^/]+/(mutants|variants)/|^tools/commands/mutants/|${TEST}`,
      },
      to: { path: "^node_modules/vitest/|^vitest$|^node:test$" },
    },
    {
      name: "graders-are-independent",
      comment: "Code that two suites need belongs in suites/core.",
      severity: "error",
      from: { path: GRADER },
      to: { path: GRADER, pathNot: "^suites/$1/" },
    },
    {
      name: "checks-share-nothing-with-the-server",
      comment:
        "A suite that shares code with the server proves nothing. Only code that starts a server may import it.",
      severity: "error",
      from: {
        path: "^suites/",
        pathNot: `^suites/[^/]+/(mutants|variants|reference-receiver|reference-client)/|^suites/[^/]+/variants\\.ts$|${TEST}`,
      },
      to: { path: "^(reference-server|sandbox)/" },
    },
    {
      name: "independent-server-is-independent",
      comment:
        "The independent server tests the checks, so it shares no code with them or with the reference server.",
      severity: "error",
      from: { path: "^suites/server/independent-server/", pathNot: TEST },
      to: {
        path: "^(suites|reference-server|sandbox)/",
        pathNot: "^suites/server/(independent-server|variants)/|^suites/core/",
      },
    },
    {
      name: "session-knows-no-check",
      comment: "The session is below the checks, and doesn't import them.",
      severity: "error",
      from: { path: "^suites/([^/]+)/session/", pathNot: TEST },
      to: { path: "^suites/", pathNot: "^suites/($1/session|core)/" },
    },
    {
      name: "support-knows-no-check",
      comment: "Code that several checks share imports neither checks nor mutants.",
      severity: "error",
      from: { path: "^suites/server/support/", pathNot: TEST },
      to: { path: "^suites/server/(checks|mutants|variants|independent-server)/" },
    },
    {
      name: "checks-know-no-runner",
      comment: "Checks don't import the code that schedules, runs and certifies them.",
      severity: "error",
      from: { path: "^suites/([^/]+)/(checks|support|session)/", pathNot: TEST },
      to: {
        path: "^suites/engine/|^suites/$1/(run|run-check|run-target|certify|suite|define-target|passive-observer)\\.ts$",
      },
    },
    {
      name: "checks-know-no-mutant",
      comment: "Mutants name the checks that catch them, not the other way round.",
      severity: "error",
      from: {
        path: "^suites/([^/]+)/",
        pathNot: `^suites/[^/]+/(mutants|variants)/|^suites/[^/]+/variants\\.ts$|${TEST}`,
      },
      to: { path: "^suites/[^/]+/mutants/" },
    },
    {
      name: "server-knows-no-suite",
      comment: "The reference server doesn't import the suites.",
      severity: "error",
      from: { path: "^(reference-server|sandbox)/", pathNot: TEST },
      to: { path: "^(suites|tools)/" },
    },
    {
      name: "domain-is-the-bottom",
      comment: "The service's rules are pure. They don't import the code that uses them.",
      severity: "error",
      from: { path: "^reference-server/domain/", pathNot: TEST },
      to: { path: "^reference-server/", pathNot: "^reference-server/(domain/|errors\\.ts$|limits\\.ts$)" },
    },
    {
      name: "dialects-stay-with-the-database",
      comment: "The differences between SQLite and PostgreSQL are behind one interface.",
      severity: "error",
      from: { path: "^reference-server/", pathNot: `^reference-server/database/|${TEST}` },
      to: { path: "^reference-server/database/(sqlite|postgres)/" },
    },
    {
      name: "service-needs-no-sandbox",
      comment: "The reference server doesn't import the sandbox, which extends it.",
      severity: "error",
      from: { path: "^reference-server/" },
      to: { path: "^sandbox/" },
    },
    {
      name: "tools-are-the-top",
      comment: "Nothing imports the command line.",
      severity: "error",
      from: { pathNot: "^(tools|bin)/|^vitest\\.config\\.ts$" },
      to: { path: "^tools/" },
    },
    {
      name: "commands-are-the-top-of-the-tools",
      comment: "Code that several commands share imports none of them.",
      severity: "error",
      from: { path: "^tools/(certification|generate|report|results|settings|terminal|versions)/" },
      to: { path: "^tools/(commands/|program\\.ts$|cli\\.ts$)" },
    },
    {
      name: "commands-are-independent",
      comment:
        "Commands don't import each other. Exceptions: pact uses conform's target, init writes conform's settings, and mcp offers the other commands to agents.",
      severity: "error",
      from: { path: "^tools/commands/([^/]+)/", pathNot: "^tools/commands/(pact|init|mcp)/" },
      to: { path: "^tools/commands/[^/]+/", pathNot: "^tools/commands/$1/" },
    },
    {
      name: "reports-know-no-run",
      comment: "Reports are data. Only the certification creates them.",
      severity: "error",
      from: { path: "^tools/(report|results|settings|terminal|versions)/" },
      to: { path: "^tools/(certification|generate)/" },
    },
    {
      name: "no-helper-of-tests-at-work",
      comment: "The package doesn't contain test helpers.",
      severity: "error",
      from: { pathNot: TEST },
      to: { path: TEST },
    },
  ],
  options: {
    includeOnly:
      "^(bin|examples|openapi|reference-server|sandbox|suites|tools)/|^(index|types|vitest\\.config)\\.ts$|^node_modules/vitest/|^(vitest|node:test)$",
    doNotFollow: { path: "^node_modules/" },
    tsPreCompilationDeps: true,
  },
};
