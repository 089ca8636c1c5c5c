import type { BackupHealth, BackupProof } from "#api/modules/backups/contract.ts";
import { formatMinute } from "#cli/terminal/format.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { backupTrouble } from "#contract/backup-texts.ts";

/** Whether backups are made, in words; what is wrong with it comes first. */
export const backupsText = (health: BackupHealth, style: Style): string => {
  const { proof, nextAt } = health;
  return [
    ...newestTexts(health, style),
    nextAt === null ? "no schedule" : `the next one ${formatMinute(nextAt)}`,
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
      last === null ? "none is kept" : `the last kept one ${formatMinute(last.at)}, in the ${last.place}`;
    return [...warnings, `the last one ${formatMinute(file.at)}, to a file; ${kept}`];
  }
  if (last !== null) return [...warnings, `the last one ${formatMinute(last.at)}, in the ${last.place}`];
  return trouble === null ? ["none on record"] : warnings;
};

const troubleText = (health: BackupHealth): string | null => {
  const trouble = backupTrouble(health);
  if (trouble === null) return null;
  if (trouble.kind === "never") return "the schedule is on, and none is on record";
  return `the newest try failed, ${formatMinute(trouble.at)}: ${printable(trouble.reason ?? "no reason given")}`;
};

/** The newest backup, where it went to a file of whoever made it, and nobody knows what became of it; `null` otherwise. */
export const handedOver = ({ run }: Pick<BackupHealth, "run">): { at: string; sizeBytes: number } | null =>
  run?.state === "done" && run.place === "handover"
    ? { at: run.beatAt, sizeBytes: run.sizeBytes ?? 0 }
    : null;

/** The newest trial restore, in words. */
export const proofText = ({ at, name, isSound }: BackupProof): string =>
  `last verified ${formatMinute(at)}: ${printable(name)}, ${isSound ? "sound" : "not sound"}`;
