import type { BackupPlan, RestoreReport, VerifyReport } from "#api/backups/operator-backups.ts";
import { formatCount, formatSecond } from "#cli/format.ts";
import { printable } from "#cli/output.ts";
import { startIt } from "#cli/server-words.ts";

/** What is in a backup, in words. */
export const planText = ({ manifest, rows, objects, key, complaint }: BackupPlan): string => {
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
    complaint === null
      ? `A restore here would work${keyWords[key ?? "same"]}`
      : `A restore here is refused: ${printable(complaint)}`,
  ].join("\n");
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

/** What a restore into `dataDir` did, in words. */
export const restoreText = (
  { manifest, rows, objects, ended, key, dropped, keptAs }: RestoreReport,
  dataDir: string,
): string =>
  [
    `Restored into ${dataDir}: ${aboutText(manifest).replace(/^A/, "a")}`,
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
          `Backups are made by themselves: from the next start on they go to ${printable(ended.scheduledTo)}, and old ones are removed there. Beside an installation that goes on, end that with: atrium backup schedule --off`,
        ]),
    ...(keptAs === null ? [] : [`What was there before is kept in ${keptAs}`]),
    `Start the server with: ${startIt}`,
  ].join("\n");

const sessionsText = (count: number): string =>
  count === 1 ? "1 session was ended" : `${formatCount(count)} sessions were ended`;

const aboutText = ({ createdAt, version, database }: RestoreReport["manifest"]): string =>
  printable(
    `A backup of ${formatSecond(createdAt)}, made by version ${version} with ${database.kind === "embedded" ? "the embedded database" : "PostgreSQL"} ${database.version}`,
  );
