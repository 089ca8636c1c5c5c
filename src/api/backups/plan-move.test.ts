import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { UnusableKeyError } from "#api/core/key-complaint.ts";
import { checkKey } from "#api/db/key-check.ts";
import { migrate } from "#api/db/migrate.ts";
import { abandonLoad, beginLoad } from "#api/db/transfer/load-tables.ts";
import {
  type MovedNote,
  removeMovedNote,
  UnusableInstallationError,
  writeMovedNote,
} from "#api/db/transfer/moved-note.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { openTestHandle, type TestDatabaseHandle } from "#api/testing/database-handle.ts";
import { lookAtMove, planMove } from "./plan-move.ts";

let source: TestDatabaseHandle;
let target: TestDatabaseHandle;
const folder = makeDataFolder();
const box = createSecretBox(crypto.getRandomValues(new Uint8Array(32)));

beforeAll(async () => {
  [source, target] = await Promise.all([openTestHandle(), openTestHandle()]);
  await Promise.all([migrate(source.handle), migrate(target.handle)]);
}, 60_000);
afterAll(async () => {
  await Promise.all([source.close(), target.close()]);
  folder.remove();
});
beforeEach(() => removeMovedNote(folder.path));

const parts = () => ({
  source: source.handle,
  target: target.handle,
  to: "postgres://b/atrium",
  dataDir: folder.path,
  box,
});
const plan = () => planMove(parts());

const note = (load: string): MovedNote => ({
  movedAt: "2026-11-21T10:00:00.000Z",
  to: "postgres://a/atrium",
  version: "15.4",
  rows: 7,
  load,
});

test("what was moved elsewhere is not moved into a target where another move broke off; what broke off there itself is begun again", async () => {
  const elsewhere = crypto.randomUUID();
  const load = await beginLoad(target.handle, { how: "" });
  try {
    expect(await plan()).toMatchObject({ obstacle: null, brokenOffAt: expect.any(String) });
    for (const id of [elsewhere, ""]) {
      writeMovedNote(folder.path, note(id));
      expect((await plan()).obstacle).toContain(
        "was already moved to postgres://a/atrium at 2026-11-21T10:00:00.000Z",
      );
    }
    writeMovedNote(folder.path, note(load.id));
    expect((await plan()).obstacle).toBeNull();
  } finally {
    await abandonLoad(target.handle, load);
  }
  // Whichever load it was, an empty target holds none of it.
  expect((await plan()).obstacle).toContain("was already moved to postgres://a/atrium");
});

test("what makes the installation itself unusable is told apart from what stands against this move alone", async () => {
  writeMovedNote(folder.path, note(""));
  expect((await lookAtMove(parts())).refusal).toBeInstanceOf(UnusableInstallationError);
  removeMovedNote(folder.path);
  await checkKey(source.handle.db, box);
  expect((await lookAtMove(parts())).refusal).toBeNull();
  const others = createSecretBox(crypto.getRandomValues(new Uint8Array(32)));
  const { plan: ofOthers, refusal } = await lookAtMove({ ...parts(), box: others });
  expect(refusal).toBeInstanceOf(UnusableKeyError);
  expect(ofOthers.obstacle).toBe(refusal?.message ?? "");
});
