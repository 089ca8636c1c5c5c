import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BackupPlan, RestoreReport, VerifyReport } from "#api/backups/operator-backups.ts";
import type { Composition } from "#cli/composition.ts";
import { startIt } from "#cli/failure.ts";
import { formatCount, formatSecond } from "#cli/terminal/format.ts";
import { printable } from "#cli/terminal/output.ts";

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
      ? "It holds the installation's key"
      : `It does not hold the installation's key (${printable(manifest.keyFingerprint ?? "none was in use")})`,
    `It would go into ${printable(plan.into)}; ${fateText(plan)}`,
    complaint === null
      ? `A restore here would work${keyWords[key ?? "same"]}`
      : `A restore here is refused: ${printable(complaint)}`,
  ].join("\n");
};

/** What becomes of what is there. */
const fateText = ({ isReplacing, keepsIn }: GoalPlan): string => {
  if (isReplacing === false) return "nothing is there that it would replace";
  const replaced =
    isReplacing === null ? "all that an installation there holds" : "all that the installation there holds";
  return keepsIn === null
    ? `${replaced} would be replaced and not kept (--replace)`
    : `${replaced} would be replaced, and kept in ${printable(keepsIn)}`;
};

const keyWords = {
  same: "",
  "from-backup": " and take its key over",
  "drop-secrets": " without the stored secrets",
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
    ...differing.map((table) => `The rows of ${printable(table)} came out otherwise`),
    log.fault === null
      ? `The activity log is unaltered: ${formatCount(log.checked)} rows proven${log.isSealChecked ? "" : "; its seal needs the installation's key"}`
      : `The activity log has a fault: ${printable(log.fault)}`,
    isSound ? "The backup is sound" : "The backup is not sound",
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
    `${formatCount(rows)} rows and ${formatCount(objects)} files from object storage; ${sessionsText(ended.sessions)}: everybody signs in anew`,
    ...(ended.apiTokens === 0
      ? []
      : [
          `API tokens were revoked, ${formatCount(ended.apiTokens)} of them: make those anew that are needed`,
        ]),
    ...(key === "from-backup" ? ["The backup's key is in DATA_DIR/app.key"] : []),
    ...(dropped === null
      ? []
      : [
          "The stored secrets are gone; enter these again:",
          ...(dropped.enterAgain.length === 0
            ? ["  (there were none)"]
            : dropped.enterAgain.map((name) => `  ${printable(name)}`)),
          ...(dropped.log.fault === null
            ? []
            : [`The activity log was altered before, which it notes: ${printable(dropped.log.fault)}`]),
          ...(dropped.mails === 0 ? [] : [`The texts of ${formatCount(dropped.mails)} mails are gone too`]),
        ]),
    ...(ended.scheduledTo === null
      ? []
      : [
          `Backups are made by themselves: from the next start on they go to ${printable(ended.scheduledTo)}. Those that are there already are removed by nobody but you. If this is a copy beside an installation that goes on, end it with: atrium backup schedule --off`,
        ]),
    ...(keptAs === null ? [] : [`What was there before is kept in ${keptAs}`]),
    ...(needsAppSecret
      ? [
          "The installation's key came from APP_SECRET and does not lie in the data folder: give APP_SECRET to each start and command from now on, or put it into DATA_DIR/app.key",
        ]
      : []),
    `Start the server with: ${startIt}`,
  ].join("\n");

const sessionsText = (count: number): string =>
  count === 1 ? "1 session was ended" : `${formatCount(count)} sessions were ended`;

const aboutText = ({ createdAt, version, database }: RestoreReport["manifest"]): string =>
  printable(
    `A backup of ${formatSecond(createdAt)}, made by version ${version} with ${database.kind === "embedded" ? "the embedded database" : "PostgreSQL"} ${database.version}`,
  );

/** Where a restore goes, in words and without a password: the data folder, or a server's database with its folder. */
export const restoreGoal = ({ config, dataDir }: Pick<Composition, "config" | "dataDir">): string => {
  const { databaseUrl } = config();
  if (databaseUrl === null) return dataDir;
  const { host, pathname } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const database = name === "" ? "the user's own PostgreSQL database" : `the PostgreSQL database "${name}"`;
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
