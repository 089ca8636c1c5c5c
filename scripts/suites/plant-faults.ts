import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allFaults, type PlantedFault } from "../../tests/planted-faults/all-faults.ts";
import { projectRoot } from "../project-root.ts";
import { allSuites, filesOf, type SuiteName, suites } from "./suites.ts";
import { readSummary } from "./test-summary.ts";

/** The suites that run a test file, and whether one of them does so in `bun run test`. */
type Place = { suite: SuiteName; isQuick: boolean };

/**
 * Plants the faults one after the other in a work tree of the current commit, those whose names contain one of `words`
 * or all of them, and prints which test sees each first. Resolves to 1 when `test all` misses one, or `test` more than a
 * tenth. Throws for a test that fails without the fault, too: it proves nothing.
 */
export const plantFaults = async (words: readonly string[]): Promise<number> => {
  const chosen = allFaults.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  const tree = makeTree();
  let seen = 0;
  let seenQuick = 0;
  try {
    for (const [index, fault] of chosen.entries()) {
      const found = await plant(fault, tree);
      if (found !== null) seen += 1;
      if (found?.isQuick === true) seenQuick += 1;
      const by = found === null ? "NOT SEEN" : `${found.isQuick ? "test" : "test all"}: ${found.file}`;
      console.log(`${index + 1}/${chosen.length} ${fault.name} (${fault.file})\n    ${by}`);
    }
  } finally {
    removeTree(tree);
  }
  console.log(`\n${chosen.length} faults: "test all" sees ${seen}, "test" sees ${seenQuick}`);
  return seen === chosen.length && seenQuick >= 0.9 * chosen.length ? 0 : 1;
};

/** The first of the fault's tests that fails with it, those of the quick tier first; `null` when none does. */
const plant = async (
  fault: PlantedFault,
  tree: string,
): Promise<{ file: string; isQuick: boolean } | null> => {
  const path = join(tree, fault.file);
  const sound = readFileSync(path, "utf8");
  // A function, so that a dollar sign in the text means itself.
  writeFileSync(
    path,
    sound.replace(fault.replace, () => fault.by),
  );
  try {
    const tests = fault.seenBy.map((file) => ({ file, ...placeOf(file, fault) }));
    const inOrder = [...tests.filter(({ isQuick }) => isQuick), ...tests.filter(({ isQuick }) => !isQuick)];
    for (const { file, suite, isQuick } of inOrder)
      if (await fails(suite, file, tree)) {
        writeFileSync(path, sound);
        await expectSound(suite, file, tree);
        return { file, isQuick };
      }
    return null;
  } finally {
    writeFileSync(path, sound);
  }
};

const soundFiles = new Set<string>();

/** Once for each test file, since most see several faults. */
const expectSound = async (suite: SuiteName, file: string, tree: string): Promise<void> => {
  if (soundFiles.has(`${suite} ${file}`)) return;
  if (await fails(suite, file, tree)) throw new Error(`${file} (${suite}) fails without a fault`);
  soundFiles.add(`${suite} ${file}`);
};

/** A fault may keep a test from ever ending. */
const mostMs = 15 * 60_000;

/** The unit suite needs nothing beside it; others are run as a person would, which builds what the fault changes. */
const fails = async (suite: SuiteName, file: string, tree: string): Promise<boolean> => {
  const command =
    suite === "unit" ? ["test", "--timeout=90000", `./${file}`] : ["scripts/test.ts", suite, file];
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: tree,
    env: { ...process.env, ...suites[suite].env },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: mostMs,
    killSignal: "SIGKILL",
  });
  const text = await new Response(child.stderr).text();
  const { passed, failed } = readSummary(text, await child.exited);
  if (child.signalCode === "SIGKILL") return true;
  // A run without tests says nothing about the fault.
  if (passed === 0 && !/^\s*[1-9]\d* (?:fail|error)/m.test(text))
    throw new Error(`${suite} did not run ${file}:\n${text}`);
  return failed > 0;
};

/**
 * Where a test file sees a fault: in the suite that runs it quickly, if one does; one that only a PostgreSQL server shows,
 * in the suite that has such a server. Throws when none runs it.
 */
const placeOf = (file: string, fault: PlantedFault): Place => {
  const place = findPlace(file, fault);
  if (place === null) throw new Error(`no suite runs ${file}`);
  return place;
};

/** The same, and `null` when no suite runs the file. */
export const findPlace = (file: string, { onPostgres }: Pick<PlantedFault, "onPostgres">): Place | null => {
  const places = (placesOf().get(file) ?? []).filter(({ suite }) => !onPostgres || suites[suite].onPostgres);
  return places.find(({ isQuick }) => isQuick) ?? places[0] ?? null;
};

let known: Map<string, Place[]> | null = null;
const placesOf = (): Map<string, Place[]> => {
  if (known !== null) return known;
  known = new Map();
  for (const suite of allSuites) {
    const quick = new Set(filesOf(suites[suite], "quick"));
    for (const file of filesOf(suites[suite], "all"))
      known.set(file, [...(known.get(file) ?? []), { suite, isQuick: quick.has(file) }]);
  }
  return known;
};

/** A work tree of the current commit with the packages and builds of this one. */
const makeTree = (): string => {
  const tree = mkdtempSync(join(tmpdir(), "atrium-planted-"));
  git("worktree", "add", "--detach", "--force", tree, "HEAD");
  symlinkSync(join(projectRoot, "node_modules"), join(tree, "node_modules"));
  const dist = join(projectRoot, "dist");
  if (existsSync(dist)) cpSync(dist, join(tree, "dist"), { recursive: true });
  return tree;
};

const removeTree = (tree: string): void => {
  rmSync(tree, { recursive: true, force: true });
  git("worktree", "prune");
};

const git = (...words: string[]): void => {
  const { exitCode, stderr } = Bun.spawnSync(["git", ...words], { cwd: projectRoot, stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${stderr.toString()}`);
};
