import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BackupPlan, RestoreReport, VerifyReport } from "#api/backups/operator-backups.ts";
import type { BackupHealth, BackupProof } from "#api/modules/backups/contract.ts";
import type { Composition } from "#cli/composition.ts";
import { startIt } from "#cli/failure.ts";
import { formatCount, formatMinute, formatSecond } from "#cli/terminal/format.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { backupTrouble } from "#contract/backup-texts.ts";

/** A plan with where the restore would go, as `restoreGoal` says it, and where the former state is kept; `null` for nowhere. */
type GoalPlan = BackupPlan & { into: string; keepsIn: string | null };

/** What is in a backup, and what a restore would replace by it, in words. */
export const planText = (plan: GoalPlan): string => {
  const { manifest, rows, objects, key, complaint } = plan;
  const total = Object.entries(rows).reduce(
    (sum, [table, count]) => sum + (manifest.tables.includes(table) ? count : 0),
    0,
  );
  return [
    aboutText(manifest),
    `${formatCount(total)} rows in ${manifest.tables.length} tables, ${formatCount(objects)} files from object storage`,
    manifest.hasKey
      ? "It contains the installation's key"
      : `It does not contain the installation's key (${printable(manifest.keyFingerprint ?? "no key was in use")})`,
    `It would be restored into ${printable(plan.into)}; ${fateText(plan)}`,
    complaint === null
      ? `It can be restored here${keyWords[key ?? "same"]}`
      : `It can't be restored here: ${printable(complaint)}`,
  ].join("\n");
};

/** What becomes of what is there. */
const fateText = ({ isReplacing, keepsIn }: GoalPlan): string => {
  if (isReplacing === false) return "there is nothing to replace";
  const replaced =
    isReplacing === null ? "any data of an installation there" : "all data of the installation there";
  return keepsIn === null
    ? `${replaced} would be replaced, without a backup (--replace)`
    : `${replaced} would be replaced and saved in ${printable(keepsIn)}`;
};

const keyWords = {
  same: "",
  "from-backup": ", using the key in the backup",
  "drop-secrets": ", without the stored secrets",
} as const;

/** What a trial restore found, in words. */
export const verifyText = ({
  manifest,
  tables,
  rows,
  objects,
  differing,
  log,
  isSound,
}: VerifyReport): string =>
  [
    aboutText(manifest),
    `${formatCount(rows)} rows in ${tables.length} tables and ${formatCount(objects)} files were restored and compared`,
    ...differing.map((table) => `The rows of ${printable(table)} differ from the backup`),
    log.fault === null
      ? `The activity log is unaltered: ${formatCount(log.checked)} rows verified${log.isSealChecked ? "" : "; verifying its signature needs the installation's key"}`
      : `The activity log is altered: ${printable(log.fault)}`,
    isSound ? "The backup can be restored" : "The backup can't be restored completely",
  ].join("\n");

/** What a restore did, where to, and whether what it made is lost without `APP_SECRET`. */
export type GoalReport = RestoreReport & { into: string; needsAppSecret: boolean };

/** What a restore did, in words. */
export const restoreText = ({
  manifest,
  rows,
  objects,
  ended,
  key,
  dropped,
  keptAs,
  into,
  needsAppSecret,
}: GoalReport): string =>
  [
    `Restored into ${printable(into)}: ${aboutText(manifest).replace(/^A/, "a")}`,
    `${formatCount(rows)} rows and ${formatCount(objects)} files from object storage; ${sessionsText(ended.sessions)}: everyone has to sign in again`,
    ...(ended.apiTokens === 0
      ? []
      : [`${formatCount(ended.apiTokens)} API tokens were revoked: create new ones where you need them`]),
    ...(key === "from-backup" ? ["The key from the backup was saved to DATA_DIR/app.key"] : []),
    ...(dropped === null
      ? []
      : [
          "The stored secrets were not restored; enter these again:",
          ...(dropped.enterAgain.length === 0
            ? ["  (none)"]
            : dropped.enterAgain.map((name) => `  ${printable(name)}`)),
          ...(dropped.log.fault === null
            ? []
            : [
                `The activity log was altered before the backup was made, and records that: ${printable(dropped.log.fault)}`,
              ]),
          ...(dropped.mails === 0
            ? []
            : [`The contents of ${formatCount(dropped.mails)} emails were not restored`]),
        ]),
    ...(ended.scheduledTo === null
      ? []
      : [
          `Scheduled backups continue with the next start, to ${printable(ended.scheduledTo)}. Backups that are already there are never removed automatically. If the original installation keeps running, turn the schedule off here: atrium backup schedule --off`,
        ]),
    ...(keptAs === null ? [] : [`The previous data is kept in ${keptAs}`]),
    ...(needsAppSecret
      ? [
          "The installation's key came from APP_SECRET and is not in the data folder: set APP_SECRET for every start and command from now on, or save it to DATA_DIR/app.key",
        ]
      : []),
    `Start the server: ${startIt}`,
  ].join("\n");

const sessionsText = (count: number): string =>
  count === 1 ? "1 session was ended" : `${formatCount(count)} sessions were ended`;

const aboutText = ({ createdAt, version, database }: RestoreReport["manifest"]): string =>
  printable(
    `A backup from ${formatSecond(createdAt)}, made by version ${version} with ${database.kind === "embedded" ? "the embedded database" : "PostgreSQL"} ${database.version}`,
  );

/** Where a restore goes, in words and without a password: the data folder, or a server's database with its folder. */
export const restoreGoal = ({ config, dataDir }: Pick<Composition, "config" | "dataDir">): string => {
  const { databaseUrl } = config();
  if (databaseUrl === null) return dataDir;
  const { host, pathname } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const database =
    name === "" ? "the user's default PostgreSQL database" : `the PostgreSQL database "${name}"`;
  return `${database} on ${host} (data folder ${dataDir})`;
};

/** Whether every start needs the key that is in the environment now: nothing in the data folder holds it. */
export const needsAppSecret = ({ config, dataDir }: Pick<Composition, "config" | "dataDir">): boolean => {
  const { appSecret } = config();
  return appSecret !== null && appSecret.trim() !== keyIn(dataDir);
};

const keyIn = (dataDir: string): string | null => {
  try {
    return readFileSync(join(dataDir, "app.key"), "utf8").trim();
  } catch {
    // One that cannot be read is none for this user's next start either.
    return null;
  }
};

/** Whether backups are made, in words; what is wrong with it comes first. */
export const backupsText = (health: BackupHealth, style: Style): string => {
  const { proof, nextAt } = health;
  return [
    ...newestTexts(health, style),
    nextAt === null ? "not scheduled" : `next backup ${formatMinute(nextAt)}`,
    ...(proof === null ? [] : [proofText(proof)]),
  ].join("; ");
};

const newestTexts = (health: BackupHealth, style: Style): string[] => {
  const { last } = health;
  const trouble = troubleText(health);
  const warnings = trouble === null ? [] : [style.yellow(`warning: ${trouble}`)];
  const file = handedOver(health);
  if (file !== null && (last === null || file.at > last.at)) {
    const kept =
      last === null
        ? "no stored backup"
        : `last stored backup ${formatMinute(last.at)}, in the ${last.place}`;
    return [...warnings, `last backup ${formatMinute(file.at)}, to a file; ${kept}`];
  }
  if (last !== null) return [...warnings, `last backup ${formatMinute(last.at)}, in the ${last.place}`];
  return trouble === null ? ["no backups yet"] : warnings;
};

const troubleText = (health: BackupHealth): string | null => {
  const trouble = backupTrouble(health);
  if (trouble === null) return null;
  if (trouble.kind === "never") return "the schedule is on, but there are no backups yet";
  return `the last backup failed at ${formatMinute(trouble.at)}: ${printable(trouble.reason ?? "unknown reason")}`;
};

/** The newest backup if it was handed over as a file, whose whereabouts are unknown; `null` otherwise. */
export const handedOver = ({ run }: Pick<BackupHealth, "run">): { at: string; sizeBytes: number } | null =>
  run?.state === "done" && run.place === "handover"
    ? { at: run.beatAt, sizeBytes: run.sizeBytes ?? 0 }
    : null;

/** The newest trial restore, in words. */
export const proofText = ({ at, name, isSound }: BackupProof): string =>
  `last verified ${formatMinute(at)}: ${printable(name)}, ${isSound ? "restorable" : "not restorable"}`;
