/** `bun run atrium sample add|remove`: lists the sample feature in `src/plugins/own.ts`, or takes it off the list. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { runScript, ScriptFailure } from "../run-script.ts";
import { entriesOf, filesOf, listTexts, writeDerived, writeFormatted } from "./lists.ts";

const entries = entriesOf("sample-notes", { feature: "sampleNotes", pages: "notePages", cards: "noteCards" });
const files = filesOf(entries).join(" and ");

const add = (): void => {
  writeFormatted(listTexts(entries, true));
  writeDerived("sample_notes");
  console.log(`The sample feature is listed in ${files}.
Its operations are in src/plugins/own-calls.ts, the migration for its tables in drizzle/own.

Next: run "bun start", sign in and open /sample-notes. It is all in src/plugins/sample-notes.
To write a feature of your own, see docs/your-first-feature.md. To undo this: bun run atrium sample remove`);
};

const remove = (mayDrop: boolean): void => {
  writeFormatted(listTexts(entries, false));
  writeDerived(null);
  console.log(`The sample feature is no longer listed in ${files}.`);
  if (!hasTable()) return;
  console.log("Databases that have its tables keep them, with all notes, until a migration drops them.");
  const isWanted =
    mayDrop || confirm("Write this migration now? The next start of a server then deletes all notes.");
  if (isWanted) writeDerived("drop_sample_notes");
  console.log(
    isWanted
      ? "The migration is in drizzle/own; the next start of a server applies it."
      : 'The next "bun run db:generate:own" writes it.',
  );
};

/** Whether the newest migration leaves the sample's tables there. */
const hasTable = (): boolean => {
  const folder = join(projectRoot, "drizzle/own");
  const snapshots = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const newest = snapshots
    .filter((path) => path.endsWith("_snapshot.json"))
    .sort()
    .at(-1);
  return newest !== undefined && readFileSync(join(folder, newest), "utf8").includes('"app.sample_notes"');
};

const usage = "Usage: bun run atrium sample add\n       bun run atrium sample remove [--yes]";

await runScript(usage, () => {
  const [verb, ...options] = process.argv.slice(2);
  const isSure = options[0] === "--yes";
  if (verb === "add" && options.length === 0) add();
  else if (verb === "remove" && options.length === Number(isSure)) remove(isSure);
  else throw new ScriptFailure(usage, 2);
});
