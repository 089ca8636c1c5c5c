import { expect, test } from "bun:test";
import { migrate } from "#api/db/migrate.ts";
import { abandonLoad, beginLoad } from "#api/db/transfer/load-tables.ts";
import { UnfitPartError } from "#api/db/transfer/moved-note.ts";
import { backupManifest } from "#api/testing/backup-manifest.ts";
import { handleForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import type { DumpEntry } from "./archive/format.ts";
import { loadDump } from "./load.ts";

const target = await handleForFile();
await migrate(target.handle);

/** What ends the load of one row, behind which the source goes away, and how much had arrived by then. */
const loadOf = async (row: object) => {
  const entries = async function* (): AsyncGenerator<DumpEntry> {
    const bytes = new TextEncoder().encode(JSON.stringify(row));
    yield { name: "tables/installation/0.ndjson", bytes, rows: 1 };
    throw new Error("the source is away");
  };
  const load = await beginLoad(target.handle, { how: "" });
  const dump = { manifest: backupManifest({ tables: ["installation"] }), entries: entries() };
  let arrived = 0;
  const onProgress = ({ rows }: { rows: number }): void => {
    arrived = rows;
  };
  const failure = await failureOf(loadDump({ target: target.handle, load, dump, onProgress }));
  return { failure, arrived, isEmptied: await abandonLoad(target.handle, load) };
};

test("once a load has failed nothing of it is still on its way, and the target can be emptied", async () => {
  const { failure, arrived, isEmptied } = await loadOf({ key: "a", value: "b" });
  expect(String(failure)).toContain("the source is away");
  expect([arrived, isEmptied]).toEqual([1, true]);
});

test("of two failures the load tells the one that came first in the dump", async () => {
  const { failure, arrived } = await loadOf({ nobody: "knows this column" });
  expect(failure).toBeInstanceOf(UnfitPartError);
  expect(arrived).toBe(0);
});
