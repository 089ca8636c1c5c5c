/**
 * `bun run atrium upgrade --check v1.2.0` tries in a work tree of its own what taking a version of Atrium means for this product;
 * without `--check` the branch then moves on to what was tried. Until all of it has succeeded, nothing of the clone is changed.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withEnvFile } from "#api/config/with-env-file.ts";
import { readDataDir } from "#api/config.ts";
import { typesCommand } from "./check/run-check.ts";
import { findReachIns, type ReachIn } from "./features/reach-ins.ts";
import { projectRoot } from "./project-root.ts";
import { runScript, ScriptFailure } from "./run-script.ts";
import { createProgress, minutes } from "./suites/run-suite.ts";
import { git, requireClean, requireClone, setUpMerges, tryGit } from "./upgrade/repository.ts";
import { type Conflict, changedFilesOfAtrium, findTarget, merge, type Target } from "./upgrade/try-merge.ts";

const usage = `Usage: bun run atrium upgrade [--check] [--json] TAG
  --check   only try it, and say what it would do
  --json    print the result as JSON
  TAG       a version of Atrium, such as v1.2.0`;

type Step = { name: string; isFine: boolean; seconds: number; output: string };

type Report = {
  tag: string;
  from: string;
  to: string;
  commits: number;
  changelog: { version: string; kind: string; text: string }[];
  conflicts: Conflict[];
  /** Files of Atrium that you have changed. */
  changedFiles: string[];
  /** What your features import of Atrium beyond `#app`, and whether the version changes that file. */
  reachIns: (ReachIn & { isChanged: boolean })[];
  steps: Step[];
  /** Names of migrations that the next start applies, and the database on whose copy they were tried. */
  migrations: { pending: string[]; triedOn: "copy" | "new database" } | null;
  /** File of the backup that a merge has made first. */
  backup: string | null;
  isMerged: boolean;
};

const upgrade = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { check: { type: "boolean" }, json: { type: "boolean" } },
  });
  const [tag, ...more] = positionals;
  if (tag === undefined || more.length > 0) throw new ScriptFailure(usage, 2);
  requireClone();
  if (!values.check) {
    requireClean("they aren't mixed with the new version");
    // Who commits the merge; git says how to set it.
    git(["var", "GIT_COMMITTER_IDENT"]);
  } else if (git(["status", "--porcelain"]) !== "")
    console.error("Changes that are not committed are left out.");
  const target = findTarget(tag);
  if (target === null) {
    console.log(values.json ? JSON.stringify({ tag, isMerged: true }) : `This clone has ${tag} already.`);
    return;
  }
  setUpMerges();

  const report = await tryIn(temporaryFolder(), target, { isCheck: values.check === true });
  console.log(values.json ? JSON.stringify(report, null, 2) : textOf(report));
  if (!isFine(report)) process.exit(1);
};

/** Merges and tries everything below `folder`, and, unless it is only a check, moves the branch on to it. */
const tryIn = async (folder: string, target: Target, { isCheck }: { isCheck: boolean }): Promise<Report> => {
  const tree = join(folder, "tree");
  const { from, to, changelog } = compareVersions(target);
  const report: Report = {
    ...{ tag: target.tag, from, to, changelog, isMerged: false },
    commits: Number(git(["rev-list", "--count", `HEAD..${target.ref}`])),
    ...{
      conflicts: [],
      changedFiles: changedFilesOfAtrium(target),
      reachIns: reachInsOf(target),
      steps: [],
      migrations: null,
      backup: null,
    },
  };
  const step = async (name: string, work: () => Promise<string> | string) => {
    report.steps.push(await timed(name, work));
  };
  await step("merge", () => {
    git(["-c", "core.hooksPath=/dev/null", "worktree", "add", "--quiet", "--detach", tree, "HEAD"]);
    const { conflicts, details } = merge(target, tree);
    report.conflicts = conflicts;
    if (conflicts.length > 0) throw new StepFailure(details);
    return "";
  });
  if (report.conflicts.length > 0) return report;
  await step("packages", async () => {
    // What is still up to date of it is not built again.
    const built = join(projectRoot, "dist");
    for (const part of [".built-from", "check", "plugins", "seed", "ui"])
      if (existsSync(join(built, part)))
        cpSync(join(built, part), join(tree, "dist", part), { recursive: true });
    await run(["install", "--ignore-scripts"], tree);
    await run(["node_modules/.bin/biome", "format", "--write", "package.json"], tree);
    return "";
  });
  await step("types", () => run(typesCommand, tree));
  await step("own tests", () => run(["scripts/test.ts", "own"], tree));
  await step("migrations", async () => {
    const backup = await backUp(folder, !isCheck);
    if (!isCheck) report.backup = backup;
    report.migrations = await tryMigrations(backup, { folder, tree });
    return "";
  });
  if (isCheck || !isFine(report)) return report;
  await step("take it over", () => {
    git(["add", "package.json", "bun.lock"], tree);
    git(["commit", "--quiet", "--no-verify", "-m", `Merge Atrium ${target.tag}`], tree);
    git(["merge", "--quiet", "--ff-only", git(["rev-parse", "HEAD"], tree)]);
    report.isMerged = true;
    return "";
  });
  return report;
};

const reachInsOf = ({ base, ref }: Target): Report["reachIns"] => {
  const changed = new Set(git(["diff", "--name-only", "-z", base, ref]).split("\0"));
  return findReachIns().map((reachIn) => ({ ...reachIn, isChanged: changed.has(reachIn.path) }));
};

const isFine = ({ steps }: Report): boolean => steps.every((step) => step.isFine);

/** Versions from and to, and the lines of the changelog that this clone does not have. */
const compareVersions = ({ ref }: Target) => {
  const [before, after] = ["HEAD", ref].map((commit) => ({
    version: String(JSON.parse(git(["show", `${commit}:package.json`])).version),
    changelog: tryGit(["show", `${commit}:CHANGELOG.md`]) ?? "",
  }));
  const known = new Set(before?.changelog.split("\n"));
  const changelog: Report["changelog"] = [];
  let [version, kind] = ["", ""];
  for (const line of after?.changelog.split("\n") ?? []) {
    version = /^## \[?([^\]\s]+)/.exec(line)?.[1] ?? version;
    kind = /^### (.+)/.exec(line)?.[1] ?? kind;
    if (line.startsWith("- ") && !known.has(line)) changelog.push({ version, kind, text: line.slice(2) });
  }
  return { from: before?.version ?? "", to: after?.version ?? "", changelog };
};

const atrium = (root: string): string[] => [join(root, "src/cli/main.ts")];

/**
 * Applies the pending migrations of Atrium and of own features to a database restored from `backup`; without one, to a new database.
 */
const tryMigrations = async (
  backup: string | null,
  { folder, tree }: Record<"folder" | "tree", string>,
): Promise<Report["migrations"]> => {
  // From a folder without a `.env`, so that nothing leads to the database itself.
  const apart = { DATA_DIR: join(folder, "data"), DATABASE_URL: "", REDIS_URL: "" };
  if (backup !== null)
    await run([...atrium(projectRoot), "restore", backup, "--drop-secrets", "--yes"], folder, apart);
  const { applied } = JSON.parse(await run([...atrium(tree), "migrate", "--json"], folder, apart));
  return backup === null ? { pending: [], triedOn: "new database" } : { pending: applied, triedOn: "copy" };
};

/**
 * Backs up the database that the environment names, in the data folder if it `isKept`. Resolves to the file, or to `null` where there
 * is no database yet.
 */
const backUp = async (folder: string, isKept: boolean): Promise<string | null> => {
  const out = join(folder, "copy.tar.zst");
  const words = isKept ? ["--keep"] : ["--out", out];
  try {
    const { file } = JSON.parse(
      await run([...atrium(projectRoot), "backup", ...words, "--json"], projectRoot),
    );
    return isKept ? join(readDataDir(withEnvFile(projectRoot, process.env)), "backups", file) : out;
  } catch (error) {
    if (error instanceof StepFailure && error.message.includes('"NO_INSTALLATION"')) return null;
    throw error;
  }
};

/** What a program printed that failed. */
class StepFailure extends Error {}

const isTerminal = process.stderr.isTTY === true;

/** Shows a step while it runs, and how it ended. */
const timed = async (name: string, work: () => Promise<string> | string): Promise<Step> => {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const progress = createProgress((text) => process.stderr.write(text), isTerminal);
  const timer = setInterval(() => progress.update(`  ${name} ${minutes(seconds())}`), 200);
  const end = (isFine: boolean, output: string): Step => {
    clearInterval(timer);
    const took = Math.round(seconds() * 10) / 10;
    progress.say(`${isFine ? "✓" : "✗"} ${name} (${took} s)`);
    progress.end();
    return { name, isFine, seconds: took, output };
  };
  try {
    return end(true, await work());
  } catch (error) {
    if (!(error instanceof StepFailure || error instanceof ScriptFailure)) throw error;
    return end(false, error.message);
  }
};

let running: Bun.Subprocess | null = null;
let isEnding = false;

/** Runs a program of Bun; resolves to its standard output, and throws a {@link StepFailure} with all that it printed. */
const run = async (
  words: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> => {
  const child = Bun.spawn([process.execPath, ...words], {
    ...{ cwd, env: { ...process.env, ...env }, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  running = child;
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const exitCode = await child.exited;
  running = null;
  // Nothing else is begun any more.
  if (isEnding) await new Promise(() => {});
  if (exitCode !== 0) throw new StepFailure(`${out}${err}`.trim());
  return out;
};

/** A folder that goes with this process, also when it is interrupted; git forgets its work tree. */
const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-upgrade-"));
  process.on("exit", () => {
    rmSync(folder, { recursive: true, force: true });
    tryGit(["worktree", "prune"]);
  });
  const endBy = (signal: "SIGINT" | "SIGTERM", exitCode: number) =>
    process.on(signal, async () => {
      isEnding = true;
      running?.kill(signal);
      await Promise.race([running?.exited, Bun.sleep(5000)]);
      process.exit(exitCode);
    });
  endBy("SIGINT", 130);
  endBy("SIGTERM", 143);
  return folder;
};

const textOf = (report: Report): string =>
  [
    headText(report),
    changelogText(report),
    conflictsText(report),
    failuresText(report),
    migrationsText(report),
    filesText(report),
    reachInsText(report),
    verdict(report),
  ]
    .filter((part) => part !== "")
    .join("\n\n");

const headText = ({ from, to, tag, commits }: Report): string =>
  `Atrium ${from} → ${to} (${tag}): ${commits} ${commits === 1 ? "commit" : "commits"}`;

const changelogText = ({ changelog }: Report): string => {
  const groups = Map.groupBy(changelog, ({ version, kind }) => `${version}: ${kind}`);
  return [...groups]
    .map(([title, lines]) => [title, ...lines.map(({ text }) => `- ${text}`)].join("\n"))
    .join("\n\n");
};

const conflictsText = ({ conflicts }: Report): string => {
  if (conflicts.length === 0) return "";
  const owners = { Atrium: "file of Atrium", you: "your file", both: "of both" };
  const lines = conflicts.map(
    ({ path, what, owner, changedIn }) =>
      `  ${path} (${owners[owner]}, ${what}${changedIn === null ? "" : `, yours in ${changedIn}`})`,
  );
  return ["Conflicts:", ...lines].join("\n");
};

const failuresText = ({ steps }: Report): string =>
  steps
    .filter((step) => !step.isFine && step.output !== "")
    .map(
      ({ name, output }) =>
        `${name} failed:\n${output
          .split("\n")
          .slice(-40)
          .map((line) => `  ${line}`)
          .join("\n")}`,
    )
    .join("\n\n");

const migrationsText = ({ migrations }: Report): string => {
  if (migrations === null) return "";
  if (migrations.triedOn === "new database")
    return "There is no database here to copy, so the migrations were tried on a new one. Set DATA_DIR or DATABASE_URL to try them on yours.";
  return migrations.pending.length === 0
    ? "The database needs no migration."
    : `The next start applies these migrations, which succeeded on a copy of the database: ${migrations.pending.join(", ")}`;
};

const mostFiles = 20;

const filesText = ({ changedFiles }: Report): string =>
  listText("You changed these files of Atrium, which may conflict with a version:", changedFiles);

const reachInsText = ({ reachIns, tag }: Report): string =>
  listText(
    "Your features import these files of Atrium beyond #app, which a version may change without notice:",
    reachIns
      .toSorted((one, other) => Number(other.isChanged) - Number(one.isChanged))
      .map(({ file, module, isChanged }) => `${file}: ${module}${isChanged ? ` (changed in ${tag})` : ""}`),
  );

/** Lines below a title; nothing for none. */
const listText = (title: string, lines: readonly string[]): string => {
  if (lines.length === 0) return "";
  const more = lines.length > mostFiles ? [`and ${lines.length - mostFiles} more`] : [];
  return [title, ...[...lines.slice(0, mostFiles), ...more].map((line) => `  ${line}`)].join("\n");
};

const verdict = (report: Report): string => {
  const { tag, isMerged, conflicts, backup } = report;
  const kept = backup === null ? "" : `The database as it was before is in ${backup}. `;
  if (isMerged)
    return `${kept}${tag} is merged. Next: bun run check, then bun start. To undo it: git reset --hard ORIG_HEAD`;
  if (isFine(report)) return `${tag} can be merged. Next: bun run atrium upgrade ${tag}`;
  const what = conflicts.length > 0 ? "resolve the conflicts" : "change what failed";
  return `Nothing was changed. To ${what} yourself: git merge ${mergeWord(tag)}`;
};

/** What `git merge` takes: the tag of `upstream`, or, without that remote, the tag of this clone. */
const mergeWord = (tag: string): string =>
  tryGit(["remote", "get-url", "upstream"]) === null ? tag : `upstream/tags/${tag}`;

await runScript(usage, upgrade);
