import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BackupState as WholeState } from "#api/modules/backups/contract.ts";
import { openRunning, operationsOf } from "#cli/client/client.ts";
import type { Composition } from "#cli/composition.ts";
import { shellWord } from "#cli/failure.ts";
import { formatBytes } from "#cli/terminal/format.ts";
import { backupTrouble } from "#contract/backup-texts.ts";
import { handedOver } from "../../backups/restore-text.ts";
import { nameOf } from "./as-owner.ts";
import { type Check, fail, type Look, makeChecks, ok, warn } from "./checks.ts";

/** How old the newest snapshot of the embedded database is, and the newest backup: by the running server's word, else in its folder. */
export const checkCopies = async (
  dataDir: string,
  has: { embedded: boolean; database: boolean; backups: BackupState | null },
  now: Date,
): Promise<Check[]> => {
  const { embedded, database, backups } = has;
  const looks: Look[] = [
    [
      "backups",
      () => (backups === null ? checkBackups(dataDir, database, now) : judgeBackups(dataDir, backups, now)),
    ],
  ];
  if (embedded) looks.unshift(["snapshots", () => checkSnapshots(dataDir, database, now)]);
  // Each on its own: an error of one check says nothing about the other.
  return makeChecks(looks, dataDir);
};

const checkSnapshots = (dataDir: string, hasDatabase: boolean, now: Date): Check => {
  const name = "snapshots";
  const newest = newestIn(join(dataDir, "snapshots"), ".tar.zst");
  if (newest !== null) return ok(name, `the newest of ${newest.count} is ${ageOf(newest, now)} old`);
  if (!hasDatabase || isYoung(join(dataDir, "database", "PG_VERSION"), now))
    return ok(name, "none yet; the server creates one every 15 minutes if something was written");
  return warn(
    name,
    `no snapshots in ${join(dataDir, "snapshots")}`,
    "the running server creates them; its log says why it could not, such as too little disk space",
  );
};

const checkBackups = (dataDir: string, hasDatabase: boolean, now: Date): Check => {
  const name = "backups";
  const folder = join(dataDir, "backups");
  const newest = newestIn(folder, "", (file) => !isFormerState(file));
  if (newest === null)
    return hasDatabase
      ? warn(
          name,
          `no backups in ${folder}; backups stored elsewhere are not checked`,
          `create one and copy it to another machine: ${backUp(dataDir)}`,
        )
      : ok(name, "nothing to back up yet");
  const detail = `the newest of ${newest.count} is ${ageOf(newest, now)} old, ${formatBytes(newest.sizeBytes)}`;
  return now.getTime() - newest.modifiedMs > oldMs
    ? warn(name, detail, `create one, and find out why the schedule did not: ${backUp(dataDir)}`)
    : ok(name, detail);
};

// What a restore puts aside: it tells nothing of whether backups are made.
const isFormerState = (name: string): boolean => name.startsWith("atrium-before-restore-");

const judgeBackups = (dataDir: string, state: BackupState, now: Date): Check => {
  const { run, schedule } = state;
  const name = "backups";
  const last = newestOf(state);
  const trouble = backupTrouble(state);
  if (trouble?.kind === "failed" && (last === null || trouble.at > last.at)) {
    const detail = `the last backup failed: ${trouble.reason ?? "unknown reason"}`;
    const remedy = `see the server's log, then try again: ${backUp(dataDir)}`;
    return run?.isScheduled ? fail(name, detail, remedy) : warn(name, detail, remedy);
  }
  const file = handedOver(state);
  if (file !== null && (last === null || file.at > last.at) && !schedule.isEnabled)
    return judgeAge(dataDir, { ...file, where: "to a file" }, { mostMs: oldMs, now });
  if (last === null)
    return warn(
      name,
      state.last === null
        ? "no stored backup"
        : `no stored backup: the last one, ${state.last.name}, is no longer in the ${state.last.place}`,
      schedule.isEnabled
        ? `the schedule has not created one yet; create one now: ${backUp(dataDir)}`
        : `schedule them: ${commandIn(dataDir, "backup schedule --daily 03:00")}; create one now: ${backUp(dataDir)}`,
    );
  const hours = "hours" in schedule.every ? schedule.every.hours : 24;
  // One turn may have been missed, while no server ran.
  const mostMs = schedule.isEnabled ? 2 * hours * hourMs : oldMs;
  return judgeAge(dataDir, { ...last, where: `in the ${last.place}` }, { mostMs, now });
};

type Made = { at: string; sizeBytes: number; where: string };

const judgeAge = (
  dataDir: string,
  { at, sizeBytes, where }: Made,
  { mostMs, now }: { mostMs: number; now: Date },
): Check => {
  const name = "backups";
  const modifiedMs = Date.parse(at);
  const detail = `the newest is ${ageOf({ modifiedMs }, now)} old, ${formatBytes(sizeBytes)}, ${where}`;
  return now.getTime() - modifiedMs > mostMs
    ? warn(name, detail, `see the server's log for why there is no newer one; create one: ${backUp(dataDir)}`)
    : ok(name, detail);
};

const backUp = (dataDir: string): string => commandIn(dataDir, "backup --keep");

/** A command for a data folder that can be run as printed. */
const commandIn = (dataDir: string, words: string, user = process.getuid?.()): string => {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  const as = owner === undefined || owner === user ? "" : `sudo -u ${nameOf(owner)} `;
  return `${as}atrium ${words} --data-dir ${shellWord(dataDir)}`;
};

/** The newest available backup: a recorded one counts only while it is still stored there, or if that can't be checked. */
const newestOf = ({ last, backups, storageFault }: BackupState): NonNullable<BackupState["last"]> | null => {
  const isThere =
    last !== null &&
    ((last.place === "storage" && storageFault !== null) ||
      backups.some(({ name, place }) => name === last.name && place === last.place));
  if (isThere) return last;
  const own = backups.filter(({ name }) => !isFormerState(name));
  const [newest] = own.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  return newest === undefined ? null : { ...newest, at: newest.createdAt };
};

type Newest = { count: number; modifiedMs: number; sizeBytes: number };

const newestIn = (folder: string, ending: string, isWanted = (_: string) => true): Newest | null => {
  const found = filesIn(folder, ending, isWanted);
  const newest = found.toSorted((a, b) => b.mtimeMs - a.mtimeMs)[0];
  return newest === undefined
    ? null
    : { count: found.length, modifiedMs: newest.mtimeMs, sizeBytes: newest.size };
};

const filesIn = (folder: string, ending: string, isWanted: (name: string) => boolean) => {
  const isThere = statSync(folder, { throwIfNoEntry: false }) !== undefined;
  return (isThere ? readdirSync(folder) : [])
    .filter((name) => isWanted(name) && name.endsWith(ending) && !/\.(?:tmp|part)$/.test(name))
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .filter((stats) => stats !== undefined)
    .filter((stats) => stats.isFile());
};

const isYoung = (path: string, now: Date): boolean =>
  now.getTime() - (statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0) < youngMs;

const ageOf = ({ modifiedMs }: Pick<Newest, "modifiedMs">, now: Date): string => {
  const minutes = Math.max(0, Math.round((now.getTime() - modifiedMs) / 60_000));
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 60 / 24)} days`;
};

const youngMs = 30 * 60_000;
const hourMs = 60 * 60_000;
const oldMs = 8 * 24 * hourMs;

/** What the running server knows of backups, wherever they are kept. */
export type BackupState = Pick<WholeState, "backups" | "storageFault" | "last" | "run" | "schedule">;

/** Asks the running server; `null` where none runs, or it does not tell: then the folder has to do. */
export const askBackups = async (
  composition: Composition,
  isRunning: boolean,
): Promise<BackupState | null> => {
  if (!isRunning) return null;
  try {
    const client = await openRunning(composition, null);
    const state = client === null ? null : (await operationsOf(client).backups.list()).data;
    // An older version answers otherwise.
    return state !== null && "schedule" in state ? state : null;
  } catch {
    return null;
  }
};
