import type { BackupHealth, BackupProof } from "#api/modules/backups/contract.ts";
import { formatMinute } from "#cli/terminal/format.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { backupTrouble } from "#contract/backup-texts.ts";

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
