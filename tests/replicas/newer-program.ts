import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../driver/start-server.ts";

const projectRoot = join(import.meta.dir, "..", "..");

/** The version that a {@link makeNewerProgram} says it is. */
export const newerVersion = "999.0.0";

/**
 * Makes the program as a later release may be, in a folder of its own: with a migration more, which only adds what the
 * program before it does not know. Remove the folder after the tests.
 */
export const makeNewerProgram = (): string => {
  const folder = temporaryFolder();
  for (const name of ["src", "package.json", "tsconfig.json"])
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  for (const name of ["node_modules", "dist"]) symlinkSync(join(projectRoot, name), join(folder, name));
  change(join(folder, "package.json"), (text) =>
    text.replace(/"version": "[^"]+"/, `"version": "${newerVersion}"`),
  );
  makeNewerMigrations(join(folder, "drizzle"));
  return folder;
};

/** Puts the migrations of such a program into a folder. It changes first what most requests read last. */
export const makeNewerMigrations = (folder: string): void => {
  cpSync(join(projectRoot, "drizzle"), folder, { recursive: true });
  change(join(folder, "meta/_journal.json"), (text) => {
    const journal = JSON.parse(text);
    const last = journal.entries.at(-1);
    const entry = { ...last, idx: last.idx + 1, when: last.when + 1, tag: "9999_later" };
    return JSON.stringify({ ...journal, entries: [...journal.entries, entry] });
  });
  writeFileSync(
    join(folder, "9999_later.sql"),
    [
      `ALTER TABLE "users" ADD COLUMN "nickname" text;`,
      `ALTER TABLE "sessions" ADD COLUMN "label" text DEFAULT 'none' NOT NULL;`,
      `CREATE TABLE "later_things" ("id" uuid PRIMARY KEY);`,
    ].join("\n--> statement-breakpoint\n"),
  );
};

const change = (path: string, edit: (text: string) => string): void =>
  writeFileSync(path, edit(readFileSync(path, "utf8")));
