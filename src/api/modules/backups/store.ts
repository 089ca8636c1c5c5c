import { eq, sql } from "drizzle-orm";
import type { BackupRun } from "#api/core/backups.ts";
import type { Database } from "#api/core/database.ts";
import { lockName } from "#api/db/data-folder.ts";
import { readInstallationValue, writeInstallationValue } from "#api/db/installation-values.ts";
import { keyFingerprintOf } from "#api/db/key-check.ts";
import { installation } from "#api/db/schema.ts";
import type { BackupProof, BackupSchedule, LastBackup } from "./contract.ts";
import { noSchedule, readSchedule } from "./schedule.ts";

const runKey = "backups.run";
const lastKey = "backups.last";
const turnKey = "backups.turn";
const startKey = "backups.start";
const scheduleKey = "backups.schedule";
const proofKey = "backups.proof";

const madePrefix = "backups.made.";

/**
 * Forgets what belongs to the installation that made a backup and means nothing in one that was restored from it: what was
 * made when, and which backups its schedule may remove. Those are from now on another's, which may continue beside this one.
 */
export const forgetBackupRuns = async (tx: Database): Promise<void> => {
  for (const key of [runKey, lastKey, turnKey, startKey, proofKey])
    await tx.delete(installation).where(eq(installation.key, key));
  await tx.execute(sql`delete from installation where starts_with(key, ${madePrefix})`);
};

/** The newest making of a backup, whoever makes it; `null` before the first. */
export const findRun = async (db: Database): Promise<BackupRun | null> =>
  parsedRun(await readInstallationValue(db, runKey));

/** Between which moments a making must have shown that it lives. */
export type Alive = { since: Date; until: Date };

/** Notes a making as the one under way, unless another is that lives. */
export const takeRun = async (db: Database, run: BackupRun, { since, until }: Alive): Promise<boolean> => {
  const value = JSON.stringify(run);
  const taken = await db.execute(sql`
    insert into installation (key, value) values (${runKey}, ${value})
    on conflict (key) do update set value = excluded.value
    where installation.value::jsonb ->> 'state' <> 'running'
      or installation.value::jsonb ->> 'beatAt' not between ${since.toISOString()} and ${until.toISOString()}
    returning key`);
  return taken.length > 0;
};

/** Notes how far a making has come; `false` when it was ended by someone, or another has taken its place. */
export const updateRun = async (db: Database, run: BackupRun): Promise<boolean> => {
  const updated = await db.execute(sql`
    update installation set value = ${JSON.stringify(run)}
    where key = ${runKey} and value::jsonb ->> 'id' = ${run.id} and value::jsonb ->> 'state' = 'running'
    returning key`);
  return updated.length > 0;
};

/** The last backup that was made whole; `null` when there never was one. */
export const findLastBackup = async (db: Database): Promise<LastBackup | null> => {
  const value = await readInstallationValue(db, lastKey);
  if (value === null) return null;
  const last: LastBackup = JSON.parse(value);
  return last;
};

/** Notes the last backup. */
export const writeLastBackup = (db: Database, last: LastBackup): Promise<void> =>
  writeInstallationValue(db, lastKey, JSON.stringify(last));

/** Notes a backup as one that the schedule has made here, and so may remove. */
export const noteScheduled = (db: Database, name: string): Promise<void> =>
  writeInstallationValue(db, `${madePrefix}${name}`, "");

/** The names of the backups that the schedule has made here; of some that are gone as well. */
export const findScheduled = async (db: Database): Promise<ReadonlySet<string>> => {
  const rows = await db.execute<{ name: string }>(sql`
    select substr(key, ${madePrefix.length + 1}::int) as name from installation where starts_with(key, ${madePrefix})`);
  return new Set(rows.map(({ name }) => name));
};

/** Takes the note of a backup away that is gone. */
export const forgetScheduled = async (db: Database, name: string): Promise<void> => {
  await db.delete(installation).where(eq(installation.key, `${madePrefix}${name}`));
};

/** The newest trial restore; `null` when there never was one. */
export const findProof = async (db: Database): Promise<BackupProof | null> => {
  const value = await readInstallationValue(db, proofKey);
  if (value === null) return null;
  const proof: BackupProof = JSON.parse(value);
  return proof;
};

/** Notes the newest trial restore. */
export const writeProof = (db: Database, proof: BackupProof): Promise<void> =>
  writeInstallationValue(db, proofKey, JSON.stringify(proof));

/** By its fingerprint the key under which this installation's secrets lie; `null` before the first start. */
export const findKeyFingerprint = (db: Database): Promise<string | null> => keyFingerprintOf(db);

/** When backups are made by themselves; off before anyone has set it. */
export const findSchedule = async (db: Database): Promise<BackupSchedule> => {
  const value = await readInstallationValue(db, scheduleKey);
  return value === null ? noSchedule : readSchedule(JSON.parse(value));
};

/** The same for who is about to replace it: no one else does so until the transaction ends. */
export const holdSchedule = async (tx: Database): Promise<BackupSchedule> => {
  await lockName(tx, scheduleKey);
  return findSchedule(tx);
};

/** Replaces the schedule; it counts from `now` on. */
export const writeSchedule = async (tx: Database, schedule: BackupSchedule, now: Date): Promise<void> => {
  await writeInstallationValue(tx, scheduleKey, JSON.stringify(schedule));
  await writeInstallationValue(tx, turnKey, now.toISOString());
  await writeInstallationValue(tx, startKey, now.toISOString());
};

/** When the schedule's last turn was; `null` before the first. */
export const findTurn = async (db: Database): Promise<Date | null> => {
  const value = await readInstallationValue(db, turnKey);
  return value === null ? null : new Date(value);
};

/** Since when the schedule is counted here; `null` before anyone has set it. */
export const findScheduleStart = async (db: Database): Promise<Date | null> => {
  const value = await readInstallationValue(db, startKey);
  return value === null ? null : new Date(value);
};

/** Lets a schedule that came with a restored database count from `now` on, unless it counts already. */
export const startSchedule = async (db: Database, now: Date): Promise<void> => {
  const value = now.toISOString();
  await db
    .insert(installation)
    .values([
      { key: turnKey, value },
      { key: startKey, value },
    ])
    .onConflictDoNothing();
};

/** Takes the turn `taken` in the place of the one before: of several servers that try, one gets it. */
export const takeBackupTurn = async (
  db: Database,
  { before, taken }: { before: Date; taken: Date },
): Promise<boolean> => {
  const rows = await db.execute(sql`
    update installation set value = ${taken.toISOString()}
    where key = ${turnKey} and value = ${before.toISOString()} returning key`);
  return rows.length > 0;
};

/** Lets the schedule count from `now` on, if `before` is still its last turn; whether it was. */
export const restartSchedule = (
  db: Database,
  { before, now }: { before: Date; now: Date },
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const isOurs = await takeBackupTurn(tx, { before, taken: now });
    if (isOurs) await writeInstallationValue(tx, startKey, now.toISOString());
    return isOurs;
  });

const parsedRun = (value: string | null): BackupRun | null => {
  if (value === null) return null;
  const run: BackupRun = JSON.parse(value);
  return run;
};
