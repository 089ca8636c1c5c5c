import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { copyProject, fencesOf, runIn } from "./clone.ts";

setDefaultTimeout(600_000);

const folder = mkdtempSync(join(tmpdir(), "atrium-versions-"));
const [atrium, product] = [join(folder, "atrium"), join(folder, "northwind")];
/** The database of the product, and nothing that a developer's `.env` or shell says. */
const withData = ["env", `DATA_DIR=${join(folder, "data")}`, "DATABASE_URL="] as const;
const inProduct = (...words: string[]) => runIn(product, ...withData, "bun", ...words);
const inShell = (command: string) => runIn(product, ...withData, "sh", "-c", command);
const gitIn = async (path: string, ...words: string[]) => (await runIn(path, "git", ...words)).trim();
const commit = (path: string, message: string) =>
  runIn(path, "sh", "-c", `git add --all && git commit --quiet --message '${message}'`);
const edit = async (path: string, next: (text: string) => string) => {
  const text = await Bun.file(path).text();
  expect(next(text)).not.toBe(text);
  await Bun.write(path, next(text));
};
const textIn = (path: string, file: string) => Bun.file(join(path, file)).text();

/** The commands of two chapters, with the names that they have here, but for those that are taken out to be run. */
const shown = (
  await Promise.all(
    ["docs/make-it-yours.md", "docs/next-version.md"].map(async (path) => (await fencesOf(path)).commands),
  )
)
  .flat()
  .map((command) => command.replace("v1.2.0", "v98.0.0").replace("ideas", "sample-notes"));
const taken = (begin: string): string => {
  const at = shown.findIndex((command) => command.startsWith(begin));
  return shown.splice(at, 1)[0] ?? "";
};
const commands = {
  init: taken("bun run atrium init"),
  addPackage: taken("bun add"),
  settings: [1, 2, 3].map(() => taken("bun run atrium settings set")),
  // In both chapters.
  check: [1, 2].map(() => taken("bun run atrium upgrade --check")),
  upgrade: taken("bun run atrium upgrade"),
  mergeByHand: taken("git merge"),
};

const coreModule = "#api/modules/contact/messages.ts";
const coreFile = coreModule.replace("#", "src/");
const removedFile = "src/ui/features/switch-test/switch-test-page.tsx";
const inFirstLine = (words: string) => (text: string) => `// ${words}\n${text}`;

/** A version 98.0.0 of Atrium that changes what a product changes, and what it does not. */
const releaseNext = async () => {
  const change = (file: string, next: (text: string) => string) => edit(join(atrium, file), next);
  await change("package.json", (text) =>
    text.replace(/"version": ".*"/, '"version": "98.0.0"').replace("Starter", "Best starter"),
  );
  await change("CHANGELOG.md", (text) =>
    text.replace("## [Unreleased]", "## [Unreleased]\n\n## [98.0.0]\n\n### Added\n\n- Sailing."),
  );
  for (const file of ["README.md", "LICENSE"])
    await change(file, (text) => text.replace("Atrium", "Great Atrium"));
  await change(coreFile, inFirstLine("Faster."));
  await change(removedFile, inFirstLine("Faster."));
  await change("drizzle/meta/_journal.json", (text) => {
    const journal = JSON.parse(text);
    const when = Math.max(...journal.entries.map((entry: { when: number }) => entry.when)) + 1;
    journal.entries.push({ ...journal.entries.at(-1), idx: journal.entries.length, when, tag: "9800_boats" });
    return JSON.stringify(journal, null, 2);
  });
  await Bun.write(join(atrium, "drizzle/9800_boats.sql"), "create table boats (n int);");
  await commit(atrium, "feat: sailing");
  await gitIn(atrium, "tag", "v98.0.0");
};

/** Does what the chapter on it shows. */
const removeParts = async () => {
  const { fences, commands } = await fencesOf("docs/remove-parts.md");
  for (const command of commands) await inShell(command);
  for (const { kind, path, code } of fences)
    if (kind === "diff")
      for (const lines of code.split("@@\n"))
        await edit(join(product, path), (text) => text.replace(lines.replace(/^-/gm, ""), ""));
};

/** Gives the sample a package of its own, for its server and a page, and has it reach for a file of Atrium. */
const addPackage = async () => {
  const sample = join(product, "src/plugins/sample-notes");
  const facts = { name: "boats", version: "1.0.0", type: "module", main: "boats.js", types: "boats.d.ts" };
  await Bun.write(join(sample, "boats/package.json"), `${JSON.stringify(facts, null, 2)}\n`);
  await Bun.write(join(sample, "boats/boats.js"), 'export const sail = "A sail";\n');
  await Bun.write(join(sample, "boats/boats.d.ts"), "export declare const sail: string;\n");
  await Bun.write(join(sample, "package.json"), '{ "name": "@own/sample-notes" }\n');
  await inShell(commands.addPackage.replace("nanoid", "boats@file:./boats"));
  await edit(
    join(sample, "notes.ts"),
    (text) => `${text}export { sail } from "boats";\nexport type { listMessages } from "${coreModule}";\n`,
  );
  await edit(join(sample, "about-page.tsx"), (text) =>
    `import { sail } from "boats";\n${text}`.replace("<p>Only", "<p>{sail}</p>$&"),
  );
};

beforeAll(async () => {
  await copyProject(atrium);
  await gitIn(atrium, "init", "--quiet", "--initial-branch=main");
  const author = ["user.name=Ada", "user.email=ada@example.test"].map((setting) => setting.split("="));
  for (const setting of author) await gitIn(atrium, "config", ...setting);
  await commit(atrium, "feat: begin");
  await gitIn(folder, "clone", "--quiet", atrium, product);
  for (const setting of author) await gitIn(product, "config", ...setting);
  await releaseNext();
  await runIn(product, "bun", "install", "--frozen-lockfile");
  for (const part of [".built-from", "check", "plugins", "seed", "ui"])
    if (existsSync(join(projectRoot, "dist", part)))
      cpSync(join(projectRoot, "dist", part), join(product, "dist", part), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the chapters show no other commands than those that are run here, and what needs a registry, rights, an engine or a server's backup", () => {
  expect(shown).toEqual([
    "npm install --global bun@1.4.5",
    "bun install",
    "bun run test own",
    "bun run build executable",
    "sudo install -m 0755 dist/atrium /usr/local/bin/my-product",
    "my-product serve",
    "docker build --tag my-product --label org.opencontainers.image.title=my-product .",
    "DATA_DIR=../copy bun run atrium restore atrium.tar.zst --drop-secrets --yes",
    "DATA_DIR=../copy bun run atrium upgrade --check v98.0.0",
  ]);
});

const init = (...words: string[]) => runIn(product, "bun", "scripts/init.ts", ...words);

test("init refuses a bad name and a dirty clone, shows its plan, makes the clone a product, and does so once", async () => {
  await expect(init("My_Product", "--yes")).rejects.toThrow('"My_Product" can\'t be the name');
  await expect(init("northwind")).rejects.toThrow("There is no terminal to ask on; add --yes");
  await Bun.write(join(product, "draft.txt"), "");
  await expect(init("northwind", "--yes")).rejects.toThrow("?? draft.txt");
  rmSync(join(product, "draft.txt"));
  expect(await inShell(`${commands.init} --plan`)).toContain("Would name the package my-product");
  expect(await gitIn(product, "status", "--porcelain")).toBe("");

  expect(await init("northwind", "--yes", "--license", "unlicensed", "--owner", "Northwind Ltd")).toContain(
    "git remote add origin",
  );
  expect(await gitIn(product, "remote")).toBe("upstream");
  expect(JSON.parse(await textIn(product, "package.json"))).toMatchObject({
    ...{
      name: "northwind",
      description: "Northwind, built on Atrium",
      license: "UNLICENSED",
      version: expect.any(String),
    },
  });
  expect(await textIn(product, "README.md")).toStartWith("# Northwind\n");
  expect(await textIn(product, "src/plugins/own-site.ts")).toContain('{ name: "Northwind" };');
  const license = await textIn(product, "LICENSE");
  expect(license).toMatch(/^Copyright \(c\) \d{4} Northwind Ltd. All rights reserved/);
  expect(license).toContain(
    await textIn(atrium, "LICENSE").then((text) => text.replace("Great ", "").trim()),
  );
  await runIn(product, "bun", "install", "--frozen-lockfile");
  await commit(product, "Begin northwind");
  await expect(init("northwind", "--yes")).rejects.toThrow("This clone is northwind already");
});

test("a product that edited a file of Atrium is told which, whose it is and in which commit, and keeps all as it was", async () => {
  await gitIn(product, "switch", "--quiet", "--create", "edited");
  await edit(join(product, coreFile), inFirstLine("Slower."));
  await commit(product, "Answer slower");
  const before = await gitIn(product, "rev-parse", "HEAD");
  const told = await inShell(`${commands.upgrade}; echo ended with $?`);
  expect(told).toContain("ended with 1");
  expect(told).toMatch(
    new RegExp(`${coreFile} \\(file of Atrium, changed by both, yours in \\w+ Answer slower\\)`),
  );
  expect(told).toContain("git merge upstream/tags/v98.0.0");
  expect(await gitIn(product, "rev-parse", "HEAD")).toBe(before);
  expect(await gitIn(product, "status", "--porcelain")).toBe("");
  expect((await gitIn(product, "worktree", "list")).split("\n")).toHaveLength(1);
  for (const command of commands.check)
    await expect(inShell(command)).rejects.toThrow("file of Atrium, changed by both");
  await expect(inShell(commands.mergeByHand)).rejects.toThrow(`Merge conflict in ${coreFile}`);
  await gitIn(product, "merge", "--abort");
  await gitIn(product, "switch", "--quiet", "main");
});

test("a check that is interrupted ends with 130 and leaves nothing behind", async () => {
  const words = ["bun", "scripts/upgrade.ts", "--check", "v98.0.0"];
  const child = Bun.spawn(words, { cwd: product, stdio: ["ignore", "ignore", "pipe"] });
  let told = "";
  for await (const chunk of child.stderr) {
    told += new TextDecoder().decode(chunk);
    // While the packages are being installed.
    if (told.includes("✓ merge")) child.kill("SIGINT");
  }
  expect([await child.exited, told]).toEqual([130, expect.stringContaining("✓ merge")]);
  expect((await gitIn(product, "worktree", "list")).split("\n")).toHaveLength(1);
});

test("a product with an identity, a table, pages, a package and a home page, and without the parts that may go, takes the next version with one command", async () => {
  await inProduct("run", "atrium", "sample", "add");
  await edit(join(product, "src/plugins/own-site.ts"), (text) =>
    text.replace('"Northwind" };', '"Northwind", home: "/sample-notes/about" };'),
  );
  await addPackage();
  await inProduct("run", "atrium", "migrate");
  await removeParts();
  await commit(product, "Add notes");

  const told = await inShell(commands.upgrade);
  expect(told).toContain("→ 98.0.0 (v98.0.0): 1 commit");
  expect(told).toContain("98.0.0: Added\n- Sailing.");
  expect(told).toContain("succeeded on a copy of the database: 9800_boats\n");
  expect(told).toContain(`src/plugins/sample-notes/notes.ts: ${coreModule} (changed in v98.0.0)`);
  expect(told).toContain("v98.0.0 is merged");
  expect(await inProduct("run", "atrium", "migrate")).toContain("Applied 9800_boats");
  const site = JSON.parse(await inProduct("src/cli/main.ts", "settings", "get", "site", "--json"));
  expect(site).toMatchObject({ name: "Northwind", home: "/sample-notes/about" });
  const [, backup = ""] = /before is in (\S+\.tar\.zst)/.exec(told) ?? [];
  expect(existsSync(backup)).toBe(true);

  expect(await gitIn(product, "status", "--porcelain")).toBe("");
  expect(JSON.parse(await textIn(product, "package.json"))).toMatchObject({
    ...{
      name: "northwind",
      description: "Northwind, built on Atrium",
      version: "98.0.0",
      license: "UNLICENSED",
    },
  });
  expect(await textIn(product, "README.md")).toStartWith("# Northwind\n");
  expect(await textIn(product, "LICENSE")).not.toContain("Great");
  expect(await textIn(product, coreFile)).toStartWith("// Faster.");
  expect(await textIn(product, "src/plugins/own.ts")).toContain("sampleNotes");
  expect(existsSync(join(product, removedFile))).toBe(false);

  const [named = "", atSections = "", atPage = ""] = commands.settings;
  for (const command of [named, atSections]) await inShell(command);
  // What is built here is older than the sample.
  await expect(inShell(atPage)).rejects.toThrow(
    "/sample-notes/about is no public page of a feature in this build",
  );
  expect(JSON.parse(await inProduct("src/cli/main.ts", "settings", "get", "site", "--json"))).toMatchObject({
    ...{ name: "Northwind", accent: "#1d4ed8", home: "sections" },
  });
  expect(await inShell(commands.upgrade)).toContain("has v98.0.0 already");
});
