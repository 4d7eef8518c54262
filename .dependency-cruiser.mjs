// Which imports are allowed. Type imports count; tests are exempt if a rule says so.
// tools/testing/imports/import-rules.test.ts has a violation of each rule.

const TEST = "\\.test\\.ts$|/testing/|^vitest\\.config\\.ts$";
const GRADER = "^suites/(server|receiver|client)/";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-circle",
      comment: "Two files that need each other are one, or need a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "core-knows-no-grader",
      comment: "What the graders share can't know any of them.",
      severity: "error",
      from: { path: "^suites/core/" },
      to: { path: "^suites/(?!core/)" },
    },
    {
      name: "engine-knows-no-suite",
      comment: "One engine runs the checks of every suite: it knows a target by its interface alone.",
      severity: "error",
      from: { path: "^suites/engine/" },
      to: { path: "^suites/(?!(core|engine)/)" },
    },
    {
      name: "no-test-runner-at-work",
      comment:
        "Checks run in any program: the command, vitest, node:test, plain Node. Only tests and the mutation gate load a runner.",
      severity: "error",
      from: {
        path: "^(index\\.ts$|types\\.ts$|reference-server/|sandbox/|suites/|tools/)",
        pathNot: `^suites/core/(mutation/|element-mutants\\.ts$)|^suites/[^/]+/(mutants|variants)/|^tools/commands/mutants/|${TEST}`,
      },
      to: { path: "^node_modules/vitest/|^vitest$|^node:test$" },
    },
    {
      name: "graders-are-independent",
      comment: "What two of them need belongs to suites/core.",
      severity: "error",
      from: { path: GRADER },
      to: { path: GRADER, pathNot: "^suites/$1/" },
    },
    {
      name: "checks-share-nothing-with-the-server",
      comment:
        "A suite that shares the server's tables proves nothing: only what makes a server for it may import it.",
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
        "It checks the checks, because it shares no rule with the reference server and no code with the checks.",
      severity: "error",
      from: { path: "^suites/server/independent-server/", pathNot: TEST },
      to: {
        path: "^(suites|reference-server|sandbox)/",
        pathNot: "^suites/server/(independent-server|variants)/|^suites/core/",
      },
    },
    {
      name: "session-knows-no-check",
      comment: "How a subject is spoken to comes before what it is asked.",
      severity: "error",
      from: { path: "^suites/([^/]+)/session/", pathNot: TEST },
      to: { path: "^suites/", pathNot: "^suites/($1/session|core)/" },
    },
    {
      name: "support-knows-no-check",
      comment: "What several checks share can't need one of them, nor a mutant.",
      severity: "error",
      from: { path: "^suites/server/support/", pathNot: TEST },
      to: { path: "^suites/server/(checks|mutants|variants|independent-server)/" },
    },
    {
      name: "checks-know-no-runner",
      comment: "A check says what is right; how checks are queued, run and certified comes above it.",
      severity: "error",
      from: { path: "^suites/([^/]+)/(checks|support|session)/", pathNot: TEST },
      to: {
        path: "^suites/engine/|^suites/$1/(run|run-check|run-target|certify|suite|define-target|passive-observer)\\.ts$",
      },
    },
    {
      name: "checks-load-no-mutant",
      comment: "Ids of mutants are types. A run that loads what breaks a server loads the server too.",
      severity: "error",
      from: {
        path: "^suites/([^/]+)/",
        pathNot: `^suites/[^/]+/(mutants|variants)/|^suites/[^/]+/variants\\.ts$|${TEST}`,
      },
      to: { path: "^suites/[^/]+/mutants/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "server-knows-no-suite",
      comment: "The service works without the suites that grade it.",
      severity: "error",
      from: { path: "^(reference-server|sandbox)/", pathNot: TEST },
      to: { path: "^(suites|tools)/" },
    },
    {
      name: "domain-is-the-bottom",
      comment:
        "Rules of the service are pure: they name the parts that they need, and know nobody who uses them.",
      severity: "error",
      from: { path: "^reference-server/domain/", pathNot: TEST },
      to: { path: "^reference-server/", pathNot: "^reference-server/(domain/|errors\\.ts$|limits\\.ts$)" },
    },
    {
      name: "dialects-stay-with-the-database",
      comment: "What SQLite and PostgreSQL do differently is behind one interface.",
      severity: "error",
      from: { path: "^reference-server/", pathNot: `^reference-server/database/|${TEST}` },
      to: { path: "^reference-server/database/(sqlite|postgres)/" },
    },
    {
      name: "service-needs-no-sandbox",
      comment:
        "The sandbox is built on the service: console, pages, simulator and forwarding extend it from outside.",
      severity: "error",
      from: { path: "^reference-server/" },
      to: { path: "^sandbox/" },
    },
    {
      name: "tools-are-the-top",
      comment: "The command line uses all the rest, and is used by nobody.",
      severity: "error",
      from: { pathNot: "^(tools|bin)/|^vitest\\.config\\.ts$" },
      to: { path: "^tools/" },
    },
    {
      name: "commands-are-the-top-of-the-tools",
      comment: "What several commands share knows none of them.",
      severity: "error",
      from: { path: "^tools/(certification|generate|report|results|settings|terminal|versions)/" },
      to: { path: "^tools/(commands/|program\\.ts$|cli\\.ts$)" },
    },
    {
      name: "commands-are-independent",
      comment:
        "What two of them need belongs to what they share; a contract is verified on the target of conform, whose settings init writes, and agents use the others by mcp.",
      severity: "error",
      from: { path: "^tools/commands/([^/]+)/", pathNot: "^tools/commands/(pact|init|mcp)/" },
      to: { path: "^tools/commands/[^/]+/", pathNot: "^tools/commands/$1/" },
    },
    {
      name: "reports-know-no-run",
      comment: "A report is data, however it came about: certifying makes one, and nothing below it does.",
      severity: "error",
      from: { path: "^tools/(report|results|settings|terminal|versions)/" },
      to: { path: "^tools/(certification|generate)/" },
    },
    {
      name: "no-helper-of-tests-at-work",
      comment: "What only tests need isn't part of the package.",
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
