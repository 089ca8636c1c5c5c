import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { type AppKey, type AppKeyConfig, loadAppKey } from "./adapters/app-key.ts";
import { createSecretBox } from "./adapters/secret-box.ts";
import { sqlStateOf } from "./db/errors.ts";
import { checkKey, readKeyCheck } from "./db/key-check.ts";

/** The key that encrypts the installation's secrets; recorded with the database at its first start. Throws `UnusableKeyError`. */
export const takeKey = async (
  config: AppKeyConfig,
  db: Database,
): Promise<{ key: AppKey; box: SecretBox }> => {
  const known = await readKeyCheck(db);
  const key = loadAppKey(config, known === null);
  const box = boxOf(key);
  await checkKey(db, box, known);
  return { key, box };
};

/**
 * Throws `UnusableKeyError` where the database is known to lie under another key, and changes nothing. It may be older than this
 * program, or empty; not for a transaction in one that is empty.
 */
export const refuseOtherKey = async (config: AppKeyConfig, db: Database): Promise<void> => {
  const known = await readKeyCheck(db).catch((error) => {
    if (sqlStateOf(error) === undefinedTable) return null;
    throw error;
  });
  if (known !== null) await checkKey(db, boxOf(loadAppKey(config, false)), known);
};

const boxOf = ({ root, previous }: AppKey): SecretBox => createSecretBox(root, previous ?? undefined);

const undefinedTable = "42P01";
