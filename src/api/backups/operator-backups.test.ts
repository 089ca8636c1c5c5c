import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "#api/config.ts";
import { systemClock } from "#api/core/clock.ts";
import { UnfitDatabaseError } from "#api/db/embedded/errors.ts";
import { backupManifest } from "#api/testing/backup-manifest.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { testAsRoot } from "#api/testing/other-user.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";
import type { DumpEntry } from "./archive/format.ts";
import { writeArchive } from "./archive/write-archive.ts";
import { createOperatorBackups, type LoadProgress } from "./operator-backups.ts";

const unread = async function* (): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Error("the backup was read"));
};

testAsRoot(
  "root neither restores nor verifies in another user's data folder, reads nothing and leaves nothing there",
  async () => {
    const folder = makeDataFolder();
    const tools = createOperatorBackups({
      config: readConfig({ DATA_DIR: folder.path }, false),
      log: createRecordingLog(),
      clock: systemClock,
    });
    const before = readdirSync(folder.path);
    chownSync(folder.path, 4_000_000, 4_000_000);
    const input = () => ({ bytes: unread(), passphrase: null, identities: [], onProgress: () => {} });
    const refusals = [
      await failureOf(tools.verify(input())),
      await failureOf(tools.restore({ ...input(), isDroppingSecrets: false, isReplacing: false })),
    ];
    for (const refused of refusals) {
      expect(refused).toBeInstanceOf(UnfitDatabaseError);
      expect(String(refused)).toContain("could not use files that root creates there");
    }
    expect(readdirSync(folder.path)).toEqual(before);
    folder.remove();
  },
);

test("a caller that stops listening ends the reading of a plan, and its source", async () => {
  const folder = makeDataFolder();
  const tools = createOperatorBackups({
    config: readConfig({ DATA_DIR: folder.path }, false),
    log: createRecordingLog(),
    clock: systemClock,
  });
  let isClosed = false;
  const entries = async function* (): AsyncGenerator<DumpEntry> {
    try {
      for (let part = 0; part < 100; part += 1) {
        const bytes = new TextEncoder().encode(JSON.stringify({ id: randomBytes(60_000).toBase64() }));
        yield { name: `tables/users/${part}.ndjson`, bytes, rows: 1 };
      }
    } finally {
      isClosed = true;
    }
  };
  const cancelled = new Error("canceled");
  const told: LoadProgress[] = [];
  const planning = tools.plan({
    bytes: writeArchive({ manifest: backupManifest(), entries: entries() }),
    passphrase: null,
    identities: [],
    onProgress: (progress) => {
      told.push(progress);
      if (told.length === 3) throw cancelled;
    },
  });
  expect(await failureOf(planning)).toBe(cancelled);
  expect(told.map(({ table, rows }) => [table, rows])).toEqual([1, 2, 3].map((rows) => ["users", rows]));
  // The streams in between hear of it in turns of their own.
  await until(() => isClosed);
  folder.remove();
}, 30_000);

test("a refused restore into a folder that was not there leaves none behind, and one that was there alone", async () => {
  const folder = makeDataFolder();
  const entries = async function* (): AsyncGenerator<DumpEntry> {};
  const restoreInto = (dataDir: string) =>
    createOperatorBackups({
      config: readConfig({ DATA_DIR: dataDir }, false),
      log: createRecordingLog(),
      clock: systemClock,
    }).restore({
      bytes: writeArchive({ manifest: backupManifest(), entries: entries() }),
      passphrase: null,
      identities: [],
      onProgress: () => {},
      isDroppingSecrets: false,
      isReplacing: false,
    });
  const [absent, empty] = [join(folder.path, "absent"), join(folder.path, "empty")];
  mkdirSync(empty);
  for (const dataDir of [absent, empty])
    expect(await failureOf(restoreInto(dataDir))).toMatchObject({ name: "ArchiveError" });
  expect([existsSync(absent), existsSync(empty)]).toEqual([false, true]);
  folder.remove();
});
