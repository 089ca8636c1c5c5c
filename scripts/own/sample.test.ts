import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { type Clone, makeClone } from "./clone.ts";

setDefaultTimeout(600_000);

let clone: Clone;
beforeAll(async () => {
  clone = await makeClone();
  await clone.run("bun", "run", "atrium", "sample", "add");
});
afterAll(() => clone.remove());

const ownFiles = ["src/plugins/own.ts", "src/plugins/own-pages.ts", "src/plugins/own-calls.ts"];
const textsIn = (path: string) => Promise.all(ownFiles.map((file) => Bun.file(join(path, file)).text()));
const migrationsIn = (path: string) =>
  readdirSync(join(path, "drizzle/own")).filter((name) => name.endsWith(".sql"));

test("its lines come and go with a command, in any number of times; its table goes after a question", async () => {
  const sample = (...words: string[]) => clone.run("bun", "run", "atrium", "sample", ...words);
  const [added, released] = [await textsIn(clone.path), await textsIn(projectRoot)];
  await sample("add");
  expect([await textsIn(clone.path), migrationsIn(clone.path)]).toEqual([added, ["0000_sample_notes.sql"]]);
  expect(await clone.run("bun", "node_modules/.bin/biome", "check", ...ownFiles, "drizzle/own")).toContain(
    "No fixes",
  );

  expect(await sample("remove")).toContain("keep them, with all notes");
  expect([await textsIn(clone.path), migrationsIn(clone.path)]).toEqual([
    released,
    ["0000_sample_notes.sql"],
  ]);
  await sample("remove", "--yes");
  expect(await sample("remove", "--yes")).not.toContain("keep them");
  const [, drop = ""] = migrationsIn(clone.path);
  expect(await Bun.file(join(clone.path, "drizzle/own", drop)).text()).toContain(
    'DROP TABLE "app"."sample_notes" CASCADE;',
  );

  rmSync(join(clone.path, "drizzle/own"), { recursive: true });
  mkdirSync(join(clone.path, "drizzle/own"));
  await sample("add");
});

test("its pages are built like others: who may see them, their own script, what visitors read", async () => {
  const built = join(clone.path, "built");
  await clone.run("env", "NODE_ENV=production", "bun", "scripts/ui/build-site.ts", built, "--quick");
  const { pages, variants } = await Bun.file(join(built, "manifest.json")).json();
  const accessOf = (path: string) => pages[path]?.access;
  expect(["/sample-notes", "/sample-notes/about", "/admin/sample-notes"].map(accessOf)).toEqual([
    ...["user", "public", "admin"],
  ]);
  const { scripts } = pages["/sample-notes/about"].loads;
  expect(pages["/sample-notes"].loads.scripts).not.toEqual(scripts);
  const [visitor] = Object.values<string>(pages["/sample-notes/about"].visitor.files);
  expect(await Bun.file(join(built, String(visitor))).text()).toContain("Only you and the administrators");
  // Its public page can be the home page.
  expect(Object.keys(variants["/"])).toEqual(["sections", "/sample-notes/about"]);
});

test.each([
  [
    "throws while it is loaded",
    "src/plugins/sample-notes/server.ts",
    (code: string) => `${code}\nthrow new Error("no paper");`,
    'The feature "sample-notes" could not be loaded, and Atrium does not start without it: no paper',
  ],
  [
    "throws where it is declared",
    "src/plugins/sample-notes/feature.ts",
    (code: string) => `${code}\nthrow new Error("no ink");`,
    "Something went wrong: no ink (src/plugins/sample-notes/feature.ts:",
  ],
  [
    "has a table whose migration is missing",
    "src/plugins/sample-notes/schema.ts",
    (code: string) => code.replace('date("due")', 'date("due_on")'),
    'The database lacks app.sample_notes.due_on, which a feature declares. Write the migration with "bun run db:generate:own"',
  ],
  [
    "has a table of users that their data lacks",
    "src/plugins/sample-notes/server.ts",
    (code: string) => code.replace("personal:", "other:"),
    'The feature "sample-notes" can\'t be used: its table app.sample_notes refers to users, whose file of their own data lacks it.',
  ],
  [
    "has a migration that fails",
    "drizzle/own/0000_sample_notes.sql",
    (code: string) => `${code}--> statement-breakpoint\nALTER TABLE "app"."boats" ADD "sail" text;`,
    'drizzle/own/0000_sample_notes.sql failed, and none of the pending migrations of own features was applied: relation "app.boats" does not exist. The statement: ALTER TABLE "app"."boats" ADD "sail" text;',
  ],
  [
    "has a migration for a table that no backup would find",
    "drizzle/own/0000_sample_notes.sql",
    (code: string) => `${code}--> statement-breakpoint\nCREATE TABLE "boats" ();`,
    'drizzle/own/0000_sample_notes.sql creates a table outside of the schema "app"',
  ],
])("one that %s ends the start with the reason", async (title, name, change, reason) => {
  const file = join(clone.path, name);
  const code = await Bun.file(file).text();
  await Bun.write(file, change(code));
  const words = [`DATA_DIR=${clone.path}/data ${title}`, "PORT=0", "bun", "src/cli/main.ts", "serve"];
  await expect(clone.run("env", ...words)).rejects.toThrow(`error: ${reason}`);
  await Bun.write(file, code);
});

/** Tests that have a row for each operation: those of the sample's. */
const rowsOfIt = ["-t", "sample-notes"];

// That its types fit and its own tests pass the test of upgrades sees.
test.each([
  [
    "who may call what, and how faults are answered",
    [...["access", "token-access", "thrown-once"].map((name) => `src/api/http/${name}.test.ts`), ...rowsOfIt],
  ],
  ["requests at random", ["src/api/http/fuzz.test.ts"]],
  [
    "the API's document and tools",
    ["src/api/http/document", "src/api/http/mcp/tools.test.ts", "src/api/eden.test.ts"],
  ],
  ["commands and their schemas", ["src/cli/program.test.ts", "src/cli/commands/schema", ...rowsOfIt]],
  [
    "rules of the source",
    [
      "tests/repository/import-rules.test.ts",
      "tests/repository/circles.test.ts",
      "src/api/operations.test.ts",
    ],
  ],
])("with it listed tests pass: %s", async (_, words) => {
  expect(await clone.run("bun", "test", "--only-failures", "--timeout", "60000", ...words)).toContain(
    " 0 fail",
  );
});
