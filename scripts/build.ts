/**
 * `bun run build [ui|seed|plugins|client|executable]…`: without words all of it, `dist/atrium` last. With
 * `--target linux-x64|…|all` releases for other machines, in `dist/release`. With `--quick` the interface as `start`
 * makes it, hardly compressed.
 */
import { parseArgs } from "node:util";
import {
  allBuildTargets,
  type BuildKind,
  type BuildTarget,
  buildAndStamp,
  executableParts,
  isBuildTarget,
  staleTargets,
  usualSeconds,
} from "./prepare/build-targets.ts";
import { ensureDependencies } from "./prepare/ensure-dependencies.ts";
import { allTargets, isTargetName } from "./release/compile-executable.ts";

const names: Record<BuildTarget, string> = {
  ui: "the user interface",
  seed: "the database seed",
  plugins: "the included plugins",
  client: "the API client",
  executable: "the executable",
};

/** Loaded only when wanted, because they reach into node_modules, which may have been filled a moment ago. */
const builders: Record<BuildTarget, (kind: BuildKind) => Promise<unknown>> = {
  ui: async ({ isQuick }) => (await import("./build-ui.ts")).buildUi({ isQuick }),
  seed: async () => (await import("./build-seed.ts")).buildSeed(),
  plugins: async () => (await import("./build-plugins.ts")).buildPlugins(),
  client: async () => (await import("./build-client.ts")).buildClient(),
  executable: async () => {
    const { compileExecutable, executablePath } = await import("./release/compile-executable.ts");
    await compileExecutable({ outfile: executablePath });
    const { writeManPage } = await import("./release/write-man-page.ts");
    await writeManPage(executablePath);
  },
};

const build = async (target: BuildTarget): Promise<void> => {
  const startedAt = performance.now();
  console.error(`Building ${names[target]} (about ${usualSeconds(target, kind)} s) …`);
  await buildAndStamp(target, () => builders[target](kind), kind);
  console.error(`Built ${names[target]} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
};

/** Side by side, for each leaves a core idle. A failure waits for the others to end, so that it can clean up. */
const buildAll = async (targets: readonly BuildTarget[]): Promise<void> => {
  const results = await Promise.allSettled(targets.map(build));
  const failures = results.filter((result) => result.status === "rejected");
  for (const { reason } of failures) console.error(reason);
  if (failures.length > 0) process.exit(1);
};

const refuse = (message: string): never => {
  console.error(message);
  process.exit(2);
};

const usage = `bun run build [${allBuildTargets.join("|")}]…
bun run build ui --quick
bun run build --target ${allTargets.join("|")}|all

Without a target everything is built, dist/atrium last; --target builds releases for other machines in dist/release. With
--quick the interface is barely compressed, as for a first start from a clone.`;

/** What is asked for; what cannot be ends it with 2. */
const readWords = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        target: { type: "string", multiple: true, default: [] },
        quick: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
};

const { values, positionals: words } = readWords();
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const kind: BuildKind = { isQuick: values.quick };
const machines = values.target.flatMap((name) => (name === "all" ? allTargets : name.split(",")));
const strangers = machines.filter((name) => !isTargetName(name));
if (strangers.length > 0)
  refuse(`Unknown machine: ${strangers.join(", ")}. Expected: ${allTargets.join(", ")}, all`);
const unknown = words.filter((word) => !isBuildTarget(word));
if (unknown.length > 0)
  refuse(`Unknown build target: ${unknown.join(", ")}. Expected: ${allBuildTargets.join(", ")}`);

const isRelease = machines.length > 0;
const wanted = words.length > 0 || isRelease ? words.filter(isBuildTarget) : allBuildTargets;
// The client is compiled, with a tool.
ensureDependencies({ tools: wanted.includes("client") });
const isWhole = wanted.includes("executable") || isRelease;
if (isWhole && kind.isQuick) refuse("Releases can't be built with --quick");
const parts = [...executableParts, "client" as const].filter((target) => wanted.includes(target));
await buildAll([...new Set([...parts, ...(isWhole ? staleTargets(executableParts) : [])])]);
if (wanted.includes("executable")) await buildAll(["executable"]);
if (isRelease) {
  const { buildRelease } = await import("./release/build-release.ts");
  await buildRelease(machines.filter(isTargetName));
}
process.exit(0);
