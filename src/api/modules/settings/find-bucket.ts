import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { readSettings } from "./read-settings.ts";
import { hasSettingsTable } from "./store.ts";
import { toLiveSettings } from "./to-live-settings.ts";

/** Looks up which bucket a start would use, in a database of this version or an older one; changes nothing. */
export const findBucket = async (
  db: Database,
  { box, s3Endpoints }: { box: SecretBox; s3Endpoints: readonly string[] },
): Promise<BucketTarget | null> => {
  if (!(await hasSettingsTable(db))) return null;
  return toLiveSettings(await readSettings(db, box), { redisUrl: null, s3Endpoints }).bucket;
};
