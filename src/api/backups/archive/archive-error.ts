/** Why a backup cannot be read or used. */
type ArchiveFault =
  | "not_a_backup"
  | "truncated"
  | "altered"
  | "locked"
  | "wrong_secret"
  | "not_encrypted"
  | "newer_format"
  | "newer_schema";

/** A backup that cannot be used; the message is for the operator and says what to do. */
export class ArchiveError extends Error {
  readonly fault: ArchiveFault;

  constructor(fault: ArchiveFault, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "ArchiveError";
    this.fault = fault;
  }
}

/** The words for each fault that needs no more than its name. */
export const archiveFaultTexts = {
  not_a_backup: "This is no backup of Atrium: neither an archive that `atrium backup` made nor an age file",
  truncated: "The backup is not whole: its end is missing. Copy it again, or use another one",
  altered: "The backup was changed or damaged since it was made. Copy it again, or use another one",
  locked:
    "The backup is encrypted. Give its passphrase (ATRIUM_BACKUP_PASSPHRASE, or --passphrase-stdin) or the file with its age identity (--identity FILE)",
  wrong_secret: "Neither the passphrase nor the identity given opens this backup",
  not_encrypted:
    "This backup is not encrypted, though a passphrase or an identity was given, or its name ends in .age: whoever can write where it lay can have replaced it. Restore it without the passphrase, and under another name, if that is what you want",
} as const;

/** An {@link ArchiveError} in its usual words. */
export const archiveError = (fault: keyof typeof archiveFaultTexts, cause?: unknown): ArchiveError =>
  new ArchiveError(fault, archiveFaultTexts[fault], { cause });
