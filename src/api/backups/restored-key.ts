import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadAppKey } from "#api/adapters/app-key.ts";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import type { Config } from "#api/config.ts";
import type { Clock } from "#api/core/clock.ts";
import type { SecretBox } from "#api/core/context.ts";
import { stampOf } from "#api/core/ids.ts";
import { keyComplaint, UnusableKeyError } from "#api/core/key-complaint.ts";
import { swapIn } from "#api/db/complete-swap.ts";
import { syncPath } from "#api/db/embedded/free-space.ts";
import { archiveError, type Manifest } from "./archive/format.ts";

/** Where the key comes from that a start would use, and how it is told apart from others. */
type KeyAtHand = {
  source: "environment" | "file" | "none";
  /** Of the key, and of the one before it, if a change of key is under way. */
  fingerprints: string[];
};

/** What is to be done about the key: nothing, put the backup's own into its file, or continue without stored secrets. */
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
    ? "The backup contains its key: run this without APP_SECRET, and the key is written to DATA_DIR/app.key."
    : "Restore the previous key, in APP_SECRET or DATA_DIR/app.key; or use a backup made with --include-key, and its passphrase.";
  throw new UnusableKeyError(
    `The backup's secrets are encrypted with key ${keyFingerprint}, and ${here}; nothing was changed. ${first} To continue without the stored secrets, add --drop-secrets: it lists what to enter again`,
  );
};

/** The key that a start would use, without making one. */
export const keyAtHand = (config: Config): KeyAtHand => {
  const isFile = config.appSecret === null;
  if (isFile && !existsSync(join(config.dataDir, "app.key"))) return { source: "none", fingerprints: [] };
  const { fingerprint, previousFingerprint } = boxOf(config);
  return {
    source: isFile ? "file" : "environment",
    fingerprints: previousFingerprint === null ? [fingerprint] : [fingerprint, previousFingerprint],
  };
};

/** Opens what lies under the key that a start would use; where there is none, `mayMake` has one made. */
export const boxOf = (config: Config, { mayMake = false }: { mayMake?: boolean } = {}): SecretBox => {
  const { root, previous } = loadAppKey(config, mayMake);
  return createSecretBox(root, previous);
};

/** Opens what lies under a key that came with a backup. */
export const boxOfText = (key: string): SecretBox => createSecretBox(new TextEncoder().encode(key));

/** The key that came with a backup. Throws an `ArchiveError` where it did not, or is none. */
export const includedKey = (key: string | null): string => {
  if (key === null || keyComplaint(key) !== null) throw archiveError("altered");
  return key;
};

/** Writes a key into a file that is not there yet. */
export const writeKey = async (path: string, key: string): Promise<void> => {
  await writeFile(path, `${key}\n`, { mode: 0o600, flag: "wx" });
  await syncPath(path);
};

/** Puts the key into its file; a former one stays beside it. */
export const putKey = async (dataDir: string, key: string, clock: Clock): Promise<void> => {
  const time = stampOf(clock.now());
  await writeKey(join(dataDir, "app.key.restored"), key);
  await swapIn(dataDir, [{ from: "app.key.restored", to: "app.key", aside: `app.key.replaced-${time}` }]);
};
