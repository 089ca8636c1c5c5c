/** `bun run atrium make …`: writes a feature, from the sample, or a part of one. Only a clone has it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { nameComplaint } from "../../src/api/contract/define-feature.ts";
import { pagePathComplaint } from "../../src/api/contract/page-paths.ts";
import * as tables from "../../src/api/db/schema.ts";
import { contracts } from "../../src/api/operations.ts";
import { projectRoot } from "../project-root.ts";
import { runScript, ScriptFailure } from "../run-script.ts";
import {
  type AskedField,
  columnKinds,
  columns,
  declarations,
  exampleOf,
  kindNames,
  labelOf,
  readFields,
  wrongRows,
} from "./fields.ts";
import { entriesOf, fail, listTexts, writeDerived, writeFormatted } from "./lists.ts";
import { camelOf, collision, isHyphenated, type Names, renamed, renamedPath, singularOf } from "./names.ts";
import { makePart, partUsage } from "./parts.ts";

const usage = `Usage: bun run atrium make feature NAME FIELD… [--one WORD]
${partUsage}
A FIELD is name:kind, such as title:text! body:long 'status:choice:open|done'; with "!" it must be filled in.
Kinds: ${kindNames}. --one says what one of a feature's things is called.`;

const folderOf = (name: string): string => join(projectRoot, "src/plugins", name);
const sampleFolder = folderOf("sample-notes");

/** What the sample has beyond what a new feature does. */
const extras = /^(?:about-page|notes-card|settings|settings-page|remind-members|remind-members\.test)\.tsx?$/;

/** Where the sample's files have these extras. */
const cuts: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  "pages.ts": [
    [/ {2}\{\n {4}path: "\/sample-notes\/about",[\s\S]*?\n {2}\},\n/, ""],
    [/\n\/\*\* What the feature adds to the dashboard[\s\S]*/, ""],
    [/type DashboardCard, /, ""],
    [/ {2}\{\n {4}path: "\/admin\/sample-notes\/settings",[\s\S]*?\n {2}\},\n/, ""],
    [/, Settings2/, ""],
  ],
  "feature.ts": [
    [/import \{ noteSettings \}.*\n/, ""],
    [/ {2}settings: noteSettings,\n/, ""],
  ],
  "server.ts": [
    [/import \{ remindMembers \}.*\n/, ""],
    [/ {2}jobs: \{[\s\S]*?\n {2}\},\n/, ""],
  ],
  "schema.ts": [[/\n\/\*\* Of which notes their members were reminded[\s\S]*/, ""]],
};

/** The fields of the sample. */
const sampleFields = readFields(["title:text!", "body:long", "due:date"]);

/** Where they are in its files: what is there, made for any fields. */
const places: Readonly<Record<string, (fields: readonly AskedField[]) => string>> = {
  "fields.ts": declarations,
  "schema.ts": columns,
  "contract.ts": exampleOf,
  "notes.test.ts": exampleOf,
  "notes-page.test.ts": exampleOf,
};

const makeFeature = (name: string, fields: readonly AskedField[], one: string): void => {
  const [first] = fields;
  if (first?.kind !== "text" || !first.isRequired)
    fail(
      'The first field is what lists show and link: it has to be a text that is required, such as "title:text!".',
    );
  refuseName(name);
  if (!isHyphenated(one) || one === name || one === "own")
    fail(`"${one}" can't be what one of "${name}" is called. Say it with --one, such as --one item.`);
  const names: Names = { feature: name, one };
  const sources = readdirSync(sampleFolder).filter((file) => !extras.test(file));
  const templates = sources.map((file) => [file, templateOf(file)] as const);
  const word = collision(
    templates.map(([, text]) => text),
    names,
  );
  if (word !== null)
    fail(
      `"${name}" can't be the name of a feature: its code would use the word "${word}" for two things. Choose another name, or another word for one of them with --one.`,
    );
  const lists = listTexts(entriesOf(name, { feature: camelOf(name), pages: `${camelOf(one)}Pages` }), true);
  writeFormatted({
    ...Object.fromEntries(
      templates.map(([file, text]) => [
        `src/plugins/${name}/${renamedPath(file, names)}`,
        withFields(renamed(text, names), { file, one: camelOf(one), first, fields }),
      ]),
    ),
    ...lists,
  });
  writeDerived(name.replaceAll("-", "_"));
  console.log(`Made the feature "${name}" in src/plugins/${name}: list, detail, form, search, export, commands and tests.
It is listed in ${Object.keys(lists).join(" and ")}; its operations are in src/plugins/own-calls.ts, the migration for its table in drizzle/own.

Next: run "bun run test unit src/plugins/${name}", then "bun start", sign in and open /${name}.
Nothing is committed: "git status" shows what was written. To undo it, run "git restore src/plugins drizzle/own" and "git clean -fd src/plugins/${name} drizzle/own", which also drop other work there that isn't committed.`);
};

/** A file of the sample without its extras. */
const templateOf = (file: string): string =>
  (cuts[file] ?? []).reduce(
    (text, [found, put]) => swapped(file, text, found, put),
    readFileSync(join(sampleFolder, file), "utf8"),
  );

const swapped = (file: string, text: string, from: string | RegExp, to: string): string => {
  const next = text.replace(from, () => to);
  if (next === text && to !== from)
    fail(`scripts/features/make.ts finds no ${from} in the sample's ${file}.`);
  return next;
};

type Wanted = { file: string; one: string; first: AskedField; fields: readonly AskedField[] };

/** A file with these fields in the place of the sample's. */
const withFields = (text: string, { file, one, first, fields }: Wanted): string => {
  const swap = (before: string, from: string | RegExp, to: string) => swapped(file, before, from, to);
  const place = places[file];
  // Tests name the first field.
  if (file.endsWith(".test.ts") && place !== undefined) {
    const [title, ...others] = sampleFields;
    const sample = title === undefined ? [] : [{ ...title, name: first.name }, ...others];
    const named = text.replaceAll('"Title"', `"${labelOf(first.name)}"`).replace(/\btitle\b/g, first.name);
    const filled = swap(named, place(sample), place(fields));
    return file === "notes.test.ts" ? swap(filled, wrongRows(sample), wrongRows(fields)) : filled;
  }
  const filled = place === undefined ? text : swap(text, place(sampleFields), place(fields));
  if (file !== "schema.ts") return filled.replaceAll(`${one}.title`, `${one}.${first.name}`);
  const names = [...new Set([...columnKinds(fields), "index", "text", "uuid"])].join(", ");
  return swap(
    filled,
    /import \{.*\} from "drizzle-orm\/pg-core"/,
    `import { ${names} } from "drizzle-orm/pg-core"`,
  );
};

/** Throws if no feature can have this name. */
const refuseName = (name: string): void => {
  const complaint = nameComplaint(name, Object.keys(contracts));
  if (complaint !== null) fail(`"${name}" can't be the name of a feature: ${complaint}.`);
  if (!isHyphenated(name))
    fail(
      `"${name}" can't be the name of a feature: write words of lowercase letters and digits with one hyphen between them.`,
    );
  if (existsSync(folderOf(name))) fail(`src/plugins/${name} is there already. Nothing was written.`);
  const table = name.replaceAll("-", "_");
  if (Object.values(tables).some((one) => is(one, PgTable) && getTableName(one) === table))
    fail(`"${name}" can't be the name of a feature: Atrium has a table of this name.`);
  const path = pagePathComplaint(`/${name}`, "user");
  if (path !== null)
    fail(`"${name}" can't be the name of a feature: its pages are at /${name}, and ${path}.`);
  const pages = readFileSync(join(projectRoot, "src/ui/routes.tsx"), "utf8");
  if (new RegExp(`path: "/(?:admin/)?${name}[/"]`).test(pages) || pages.includes(`Page("/${name}`))
    fail(`"${name}" can't be the name of a feature: Atrium has a page at this address.`);
};

/** Writes what the words after `make` ask for. Throws a `ScriptFailure` with what is wrong. */
export const make = ([what = "", ...words]: readonly string[]): void => {
  if (what !== "feature") {
    if (!makePart(what, words)) throw new ScriptFailure(usage, 2);
    return;
  }
  const at = words.indexOf("--one");
  const [, one] = at === -1 ? [] : words.splice(at, 2);
  const [name = "", ...asked] = words;
  if (name === "" || name.startsWith("-") || (at !== -1 && one === undefined))
    throw new ScriptFailure(usage, 2);
  makeFeature(name, readFields(asked), one ?? singularOf(name));
};

if (import.meta.main) await runScript(usage, () => make(process.argv.slice(2)));
