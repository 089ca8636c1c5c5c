import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { ScriptFailure } from "../run-script.ts";

/** What a feature has in one of the lists: `entry` of `list` in `file`, imported from the module `from`. */
type ListEntry = { file: string; list: string; entry: string; from: string };

/** What the feature in `src/plugins/<folder>` has in the lists: its constant, and those of its pages and cards, if it has any. */
export const entriesOf = (
  folder: string,
  names: { feature: string; pages?: string; cards?: string },
): ListEntry[] => {
  const entry = (
    file: string,
    list: string,
    name: string | undefined,
    module: string,
    spread = "",
  ): ListEntry[] =>
    name === undefined
      ? []
      : [{ file: `src/plugins/${file}.ts`, list, entry: spread + name, from: `./${folder}/${module}.ts` }];
  return [
    ...entry("own", "own", names.feature, "feature"),
    ...entry("own-pages", "ownPages", names.pages, "pages", "..."),
    ...entry("own-pages", "dashboardCards", names.cards, "pages", "..."),
  ];
};

/** The files that the entries are in. */
export const filesOf = (entries: readonly ListEntry[]): string[] => [
  ...new Set(entries.map(({ file }) => file)),
];

/**
 * The texts of those files, by their paths, with the entries or without them; what they import is exactly what the lists use. Throws a
 * `ScriptFailure` where a list isn't found.
 */
export const listTexts = (entries: readonly ListEntry[], areListed: boolean): Record<string, string> =>
  Object.fromEntries(filesOf(entries).map((file) => [file, listText(file, entries, areListed)]));

const listText = (file: string, entries: readonly ListEntry[], areListed: boolean): string => {
  let text = readFileSync(join(projectRoot, file), "utf8");
  const used = new Map<string, string[]>();
  for (const { list, entry, from } of entries.filter((one) => one.file === file)) {
    const found = new RegExp(`(export const ${list}\\b[^=]*= \\[)([^\\]]*)\\]`).exec(text);
    if (found === null) fail(`${file} has no list "export const ${list} = […]"; change it by hand.`);
    const [whole, start, inside = ""] = found;
    const others = inside
      .split(",")
      .flatMap((word) => word.trim() || [])
      .filter((word) => word !== entry);
    text = text.replace(whole, () => `${start}${[...others, ...(areListed ? [entry] : [])].join(", ")}]`);
    used.set(from, [...(used.get(from) ?? []), ...(areListed ? [entry.replace("...", "")] : [])]);
  }
  for (const [from, names] of used) {
    text = text.replace(new RegExp(`^import [^;]*from "${from}";\\n`, "m"), "");
    if (names.length > 0) text = `import { ${names.join(", ")} } from "${from}";\n${text}`;
  }
  return text;
};

/** What was at each path before this program wrote there; `null` for nothing. */
const before = new Map<string, Buffer | null>();

const remember = (path: string): void => {
  if (!before.has(path)) before.set(path, existsSync(path) ? readFileSync(path) : null);
};

/** Writes files by their paths in the project, and formats them. */
export const writeFormatted = (texts: Readonly<Record<string, string>>): void => {
  for (const [file, text] of Object.entries(texts)) {
    const path = join(projectRoot, file);
    const folder = mkdirSync(dirname(path), { recursive: true });
    if (folder !== undefined) before.set(folder, null);
    remember(path);
    writeFileSync(path, text);
  }
  run("node_modules/.bin/biome", "check", "--write", ...Object.keys(texts));
};

/** Writes what follows from the listed features: the operations and, with the name of one, a migration if a table changed. */
export const writeDerived = (migration: string | null): void => {
  remember(join(projectRoot, "src/plugins/own-calls.ts"));
  run("scripts/write-operations.ts");
  if (migration !== null)
    run("node_modules/.bin/drizzle-kit", "generate", "--config=drizzle.own.config.ts", `--name=${migration}`);
};

const run = (...words: string[]): void => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...words], { cwd: projectRoot });
  if (exitCode === 0) return;
  for (const [path, bytes] of before)
    if (bytes === null) rmSync(path, { recursive: true, force: true });
    else writeFileSync(path, bytes);
  fail(`Nothing was written, because ${words.join(" ")} failed:\n${stdout}${stderr}`);
};

/** Throws a `ScriptFailure` with a problem. */
export const fail: (problem: string) => never = (problem) => {
  throw new ScriptFailure(problem);
};
