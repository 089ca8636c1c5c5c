import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isAhead } from "#api/core/clock.ts";

/** A snapshot in the data folder. */
export type SnapshotFile = {
  /** When it was made, and for one before an upgrade the version: `2026-11-21T14-30-00Z-before-1.1.0`. */
  name: string;
  path: string;
  madeAt: Date;
  sizeBytes: number;
  /** The program's version that was about to migrate the database; `null` for one that was made as a matter of course. */
  before: string | null;
};

/** The folder of snapshots in a data folder. */
export const snapshotsFolder = (dataDir: string): string => join(dataDir, "snapshots");

/** The path of the snapshot with that name. */
export const snapshotPath = (dataDir: string, name: string): string =>
  join(snapshotsFolder(dataDir), `${name}${ending}`);

/** The name of one that is made at `at`; see {@link SnapshotFile}. */
export const snapshotName = (at: Date, before: string | null): string => {
  const time = at.toISOString().slice(0, 19).replaceAll(":", "-");
  return `${time}Z${before === null ? "" : `-before-${before.replace(/[^\w.+-]/g, "_")}`}`;
};

/** Whether a file of that name is a snapshot. */
export const isSnapshotFile = (file: string): boolean => pattern.test(file);

/**
 * The snapshots of a data folder, newest first; other files are ignored. Those from the future come last: whatever the
 * clock was then, they were made before it was corrected, so none of them is the newest.
 */
export const listSnapshots = async (dataDir: string, now = new Date()): Promise<SnapshotFile[]> => {
  const found: SnapshotFile[] = [];
  for (const file of await readdir(snapshotsFolder(dataDir)).catch(() => [])) {
    const [, name, day, time, before] = pattern.exec(file) ?? [];
    if (name === undefined) continue;
    const path = snapshotPath(dataDir, name);
    // One that is just being deleted is none.
    const state = await stat(path).catch(() => null);
    if (state === null) continue;
    const madeAt = new Date(`${day}T${time?.replaceAll("-", ":")}Z`);
    found.push({ name, path, madeAt, sizeBytes: state.size, before: before ?? null });
  }
  found.sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime() || b.name.localeCompare(a.name));
  const isFuture = ({ madeAt }: SnapshotFile) => isAhead(madeAt, now);
  return [...found.filter((file) => !isFuture(file)), ...found.filter(isFuture)];
};

/** The command line that restores a snapshot, from any working directory. */
export const restoreCommand = ({ name, path }: SnapshotFile): string =>
  `atrium snapshot restore ${name} --yes --data-dir ${dirname(dirname(path))}`;

const ending = ".tar.zst";
const pattern = /^((\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)Z(?:-before-([\w.+-]+))?)\.tar\.zst$/;

/**
 * The snapshots to remove so that the newest eight stay. Also kept are `made`, which was just made whatever the clock
 * says, and the newest one before an upgrade, which leads back from it. Snapshots from the future, which are last, go
 * first. While a clock is behind for a moment nothing is lost by that: the real ones are then ordered after those made
 * since, and the oldest goes, as usual.
 */
export const surplusOf = (newestFirst: readonly SnapshotFile[], made: SnapshotFile): SnapshotFile[] => {
  const wayBack = newestFirst.find(({ before }) => before !== null);
  return newestFirst.slice(keptCount).filter((file) => file !== wayBack && file !== made);
};

const keptCount = 8;
