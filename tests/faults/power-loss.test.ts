import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { findSeed } from "#api/db/bundled-files.ts";
import { ensureCluster } from "#api/db/embedded/cluster-folder.ts";
import { type Engine, openEngine } from "#api/db/embedded/engine.ts";
import { sized } from "#api/testing/size.ts";
import { removeFolder, temporaryFolder } from "../driver/start-server.ts";

setDefaultTimeout(300_000);

const cuts = sized(6, 20);
const pageBytes = 4096;

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => removeFolder(folder));

/** A disk that forgets what was not synced: `disk` holds of each file what its last sync left there. */
const createDisk = (live: string, disk: string) => {
  cpSync(live, disk, { recursive: true });
  return {
    /** Replaces the system's call, which the engine makes before it acknowledges. */
    fsync: (fd: number): void => {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      if (path.endsWith(" (deleted)") || !statSync(path).isFile()) return;
      const target = join(disk, relative(live, path));
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(path, target);
    },
    /**
     * What is found after the cut. With `stray`, some pages got to the disk although no one asked for it, in any order:
     * a file then is a mixture of what was synced and what was written since.
     */
    afterCut: (target: string, stray: number): void => {
      cpSync(disk, target, { recursive: true });
      if (stray === 0) return;
      for (const name of readdirSync(live, { recursive: true }).map(String)) {
        const path = join(live, name);
        if (!statSync(path).isFile() || !existsSync(join(target, name))) continue;
        const [written, synced] = [readFileSync(path), readFileSync(join(target, name))];
        if (written.equals(synced)) continue;
        const mixed = Buffer.alloc(Math.max(written.length, synced.length));
        synced.copy(mixed);
        for (let at = 0; at < written.length; at += pageBytes)
          if (Math.random() < stray) written.copy(mixed, at, at, at + pageBytes);
        writeFileSync(join(target, name), mixed);
      }
    },
  };
};

const rowsIn = async (engine: Engine): Promise<Set<number>> =>
  new Set((await engine.query<{ n: number }>("select n from kept")).rows.map(({ n }) => n));

describe("X13: power loss", () => {
  test(`the embedded database opens after ${cuts} of ${cuts} cuts with all that was acknowledged, and nothing half`, async () => {
    const live = join(folder, "database");
    await ensureCluster(live, findSeed());
    const disk = createDisk(live, join(folder, "disk"));
    let syncs = 0;
    let nextCut = 20 + Math.floor(Math.random() * 30);
    const acknowledged: number[] = [];
    const found: { path: string; acknowledged: number[] }[] = [];
    const engine = await openEngine({
      folder: live,
      fsync: (fd) => {
        syncs += 1;
        // Half of the cuts come before a sync, half after it.
        const isBefore = found.length % 2 === 0;
        if (!isBefore) disk.fsync(fd);
        if (syncs >= nextCut && found.length < cuts) {
          const path = join(folder, `cut-${found.length}`);
          disk.afterCut(path, [0, 0.5, 1][found.length % 3] ?? 0);
          found.push({ path, acknowledged: [...acknowledged] });
          nextCut = syncs + 1 + Math.floor(Math.random() * 60);
        }
        if (isBefore) disk.fsync(fd);
      },
    });
    await engine.exec("create table kept (n int primary key, filler text); create table pairs (n int)");
    for (let n = 1; found.length < cuts; n += 1) {
      await engine.query(
        `with pair as (insert into pairs values (${n}), (${n})) insert into kept values (${n}, repeat('x', ${n % 50} * 100))`,
      );
      acknowledged.push(n);
      if (n % 40 === 0) await engine.exec("checkpoint");
      if (n % 25 === 0) await engine.exec(`update kept set filler = 'changed' where n > ${n - 25}`);
    }
    await engine.close();
    expect(acknowledged.length).toBeGreaterThan(cuts);
    for (const cut of found) {
      const again = await openEngine({ folder: cut.path });
      const rows = await rowsIn(again).catch(() => new Set<number>());
      expect(cut.acknowledged.filter((n) => !rows.has(n))).toEqual([]);
      if (cut.acknowledged.length > 0) {
        const { rows: halves } = await again.query("select n from pairs group by n having count(*) <> 2");
        expect(halves).toEqual([]);
        expect((await again.query("select n from pairs except select n from kept")).rows).toEqual([]);
      }
      await again.close();
    }
    console.log(`${found.length} cuts, ${acknowledged.length} transactions, ${syncs} syncs`);
  });
});
