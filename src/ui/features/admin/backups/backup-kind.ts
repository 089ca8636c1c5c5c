/** What a backup was made for. */
export type BackupKind = "scheduled" | "manual" | "restore";

/** What a backup was made for, as its name tells. */
export const backupKind = (name: string): BackupKind => {
  if (name.startsWith("atrium-scheduled-")) return "scheduled";
  return name.startsWith("atrium-before-restore-") ? "restore" : "manual";
};

/** What to type to look into a backup, or to restore from it. */
export const restoreCommand = (name: string, option: "--plan" | "--yes"): string => {
  const identity = name.endsWith(".age") ? " --identity backup-identity.txt" : "";
  return `atrium restore ${name}${identity} ${option}`;
};
