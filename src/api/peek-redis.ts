import { randomBytes } from "node:crypto";
import { loadAppKey } from "#api/adapters/app-key.ts";
import { inspectRedis, type RedisReport } from "#api/adapters/redis/run-redis-checks.ts";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { UnusableKeyError } from "#api/core/key-complaint.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import { environmentRedis, findRedis } from "#api/modules/settings/index.ts";
import type { SupportFacts } from "#api/modules/system/contract.ts";
import { selectSupportFacts } from "#api/modules/system/index.ts";
import { serverOf } from "#contract/endpoints.ts";
import type { Config } from "./config.ts";

type PeekConfig = Pick<Config, "redisUrl" | "appSecret" | "appSecretPrevious" | "dataDir">;

/** A Redis server as it was found, and who set it up. */
type FoundServer = RedisReport & { source: "settings" | "environment" };

/**
 * Tries the Redis server that a start would use: the one that is saved in `db`, else the one that the environment names;
 * `null` when there is none. Changes nothing, and makes no key.
 */
export const peekRedis = async (config: PeekConfig, db: Database | null): Promise<FoundServer | null> => {
  const { redisUrl } = config;
  const { target, lockedEndpoint } =
    db === null
      ? { target: environmentRedis(redisUrl), lockedEndpoint: null }
      : await findRedis(db, { box: boxOf(config), redisUrl });
  if (lockedEndpoint !== null) {
    const server = serverOf(lockedEndpoint).replace(/^\w+:\/\//, "");
    return { source: "settings", server, isUsable: false, reason: "its saved password cannot be read" };
  }
  return target === null ? null : { source: target.source, ...(await inspectRedis(target)) };
};

/** Without a usable key, which another check complains of, a box that opens nothing. */
const boxOf = (config: PeekConfig): SecretBox => {
  try {
    const { root, previous } = loadAppKey(config, false);
    return createSecretBox(root, previous);
  } catch (error) {
    if (error instanceof UnusableKeyError) return createSecretBox(randomBytes(32));
    throw error;
  }
};

/** What a database shows when diagnosing without a server. Changes nothing. */
export const peekSupport = ({ db }: Pick<DatabaseHandle, "db">): Promise<SupportFacts> =>
  selectSupportFacts(db);
