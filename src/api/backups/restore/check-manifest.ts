import { UnusableKeyError } from "#api/core/unusable-key-error.ts";
import { readJournal, thisProgram } from "#api/db/migration-journal.ts";
import { tablesThrough } from "#api/db/rebuild-schema.ts";
import { ArchiveError, archiveError } from "../archive/archive-error.ts";
import type { Manifest } from "../archive/manifest.ts";

/** Throws an `ArchiveError` for a backup whose tables this program cannot take or bring up to date. */
export const checkSchema = async ({ migrations, tables, version }: Manifest): Promise<void> => {
  const journal = await readJournal(thisProgram);
  const unknown = migrations.filter((name) => !journal.some(({ tag }) => tag === name));
  if (unknown.length > 0)
    throw new ArchiveError(
      "newer_schema",
      `The backup was made by a newer version of Atrium: ${version}, with ${unknown.length === 1 ? "1 change" : `${unknown.length} changes`} of the database that ${thisProgram.version}, which this is, does not know. Restore it with ${version} or a later one`,
    );
  if (migrations.length === 0 || migrations.some((name, at) => journal[at]?.tag !== name))
    throw archiveError("altered");
  const made = await tablesThrough(migrations.at(-1) ?? "");
  const isSame = new Set(tables).size === tables.length && tables.length === made.size;
  if (!isSame || tables.some((name) => !made.has(name))) throw archiveError("altered");
};

/** Where the key comes from that a start would use, and how it is told apart from others. */
export type KeyAtHand = {
  source: "environment" | "file" | "none";
  /** Of the key, and of the one before it, if a change of key is under way. */
  fingerprints: string[];
};

/** What is to be done about the key: nothing, put the backup's own into its file, or go on without stored secrets. */
export type KeyPlan = "same" | "from-backup" | "drop-secrets";

/**
 * Decides by which key the restored installation is to live. Throws `UnusableKeyError` with the remedies when its secrets
 * would stay unreadable.
 */
export const planKey = (
  { keyFingerprint, hasKey }: Pick<Manifest, "keyFingerprint" | "hasKey">,
  { source, fingerprints }: KeyAtHand,
  isDropping: boolean,
): KeyPlan => {
  if (keyFingerprint === null || fingerprints.includes(keyFingerprint)) return "same";
  if (hasKey && source !== "environment") return "from-backup";
  if (isDropping) return "drop-secrets";
  const here =
    source === "none" ? "there is no key here yet" : `the key here is ${fingerprints[0] ?? "another one"}`;
  const first = hasKey
    ? "The backup holds its key: run this without APP_SECRET, and the key goes into DATA_DIR/app.key."
    : "Put the former key back, in APP_SECRET or DATA_DIR/app.key; or use a backup made with --include-key, and its passphrase.";
  throw new UnusableKeyError(
    `The backup's secrets lie under key ${keyFingerprint}, and ${here}; nothing was changed. ${first} ` +
      "To go on without the stored secrets, add --drop-secrets: it lists what to enter again",
  );
};
