import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { LiveSettings } from "#api/core/settings.ts";
import { readSettings } from "./read-settings.ts";
import { hasSettingsTable } from "./store.ts";
import { environmentRedis, toLiveSettings } from "./to-live-settings.ts";

/** The Redis server that holds: one to use, or none, or one that was saved with a password that does not open. */
type FoundRedis = { target: LiveSettings["redis"]; lockedEndpoint: string | null };

/** Looks up which Redis server a start would use, in a database of this version or an older one; changes nothing. */
export const findRedis = async (
  db: Database,
  { box, redisUrl }: { box: SecretBox; redisUrl: string | null },
): Promise<FoundRedis> => {
  if (!(await hasSettingsTable(db))) return { target: environmentRedis(redisUrl), lockedEndpoint: null };
  const stored = await readSettings(db, box);
  const { redis: target, locked } = toLiveSettings(stored, { redisUrl, s3Endpoints: [] });
  return { target, lockedEndpoint: locked.redis };
};
