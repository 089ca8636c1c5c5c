import { eq } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { SealKey, SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { UnusableKeyError } from "#api/core/key-complaint.ts";
import { installation } from "./schema.ts";

const rowKey = "key_check";
const purpose = "key-check";
const aad = `installation:value:${rowKey}`;
const constant = "atrium";

/**
 * Refuses a key that the database was not made with: a constant sealed on the first start must open. The row is
 * written when absent. `known` is what {@link readKeyCheck} gave, where that was asked before. Throws `UnusableKeyError`.
 */
export const checkKey = async (db: Database, box: SecretBox, known: string | null = null): Promise<void> => {
  const stored = known ?? (await writeFirst(db, box));
  if (opens(box, stored)) return;
  throw new UnusableKeyError(
    `The key does not belong to this database: its secrets are encrypted with key ${fingerprintIn(stored)}, and this start uses ${box.fingerprint}. ` +
      "Restore the previous key, in APP_SECRET or DATA_DIR/app.key. To change the key, set the new one as APP_SECRET and the previous one as APP_SECRET_PREVIOUS " +
      "until `atrium secrets rotate` has finished",
  );
};

/** Writes the note unless there is one, and resolves to the stored one. */
const writeFirst = async (db: Database, box: SecretBox): Promise<string> => {
  // Replicas may start at the same time: the first one's row counts, and each checks what is stored.
  await db
    .insert(installation)
    .values({ key: rowKey, value: writeCheck(box) })
    .onConflictDoNothing();
  return (await readKeyCheck(db)) ?? "";
};

/** The note of the key that a start has used with this database before, and that alone will do; `null` before the first. */
export const readKeyCheck = async (db: Database): Promise<string | null> => {
  const [row] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, rowKey));
  return row?.value ?? null;
};

/** The fingerprint of the key that the note names; `null` before the first start. */
export const keyFingerprintOf = async (db: Database): Promise<string | null> => {
  const value = await readKeyCheck(db);
  return value === null ? null : fingerprintIn(value);
};

/** Forgets the key of the database: the next start records its own. No value may be encrypted with the old one any more. */
export const forgetKeyCheck = async (tx: Database): Promise<void> => {
  await tx.delete(installation).where(eq(installation.key, rowKey));
};

/** The key that encrypts the note; `null` before the first start. */
export const keyOfKeyCheck = async (db: Database, box: KeyCheckBox): Promise<SealKey | null> => {
  const value = await readKeyCheck(db);
  if (value === null) return null;
  return opens(box, value) ? box.keyOf(sealedIn(value)) : "unknown";
};

/**
 * Encrypts the note with the current key, in the caller's transaction: from then on a start needs the previous one no
 * more. No other value may still be encrypted with that. A note that neither key opens is left as it is.
 */
export const resealKeyCheck = async (
  tx: Database,
  box: KeyCheckBox,
): Promise<"resealed" | "kept" | "unreadable"> => {
  const [row] = await tx.select().from(installation).where(eq(installation.key, rowKey)).for("update");
  if (row === undefined || !opens(box, row.value)) return "unreadable";
  if (box.keyOf(sealedIn(row.value)) === "current") return "kept";
  await tx
    .update(installation)
    .set({ value: writeCheck(box) })
    .where(eq(installation.key, rowKey));
  return "resealed";
};

/** What of the box the note needs. */
export type KeyCheckBox = Pick<SecretBox, "seal" | "open" | "keyOf" | "fingerprint">;

/** `fingerprint.sealed`: the fingerprint is for the message only, what is sealed decides. */
const writeCheck = (box: KeyCheckBox): string => {
  const sealed = box.seal(purpose, aad, new TextEncoder().encode(constant));
  return `${box.fingerprint}.${Buffer.from(sealed).toString("base64url")}`;
};

const sealedIn = (stored: string): Uint8Array => Buffer.from(stored.split(".")[1] ?? "", "base64url");

const opens = (box: KeyCheckBox, stored: string): boolean => {
  try {
    return new TextDecoder().decode(box.open(purpose, aad, sealedIn(stored))) === constant;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
};

const fingerprintIn = (stored: string): string => /^[0-9a-f]{16}(?=\.)/.exec(stored)?.[0] ?? "(unknown)";
