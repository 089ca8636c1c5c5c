import type { Composition } from "#cli/composition.ts";
import { asOwnerOf, openingObstacle, type Users } from "./as-owner.ts";
import { askStatus } from "./ask-status.ts";
import { fail, warn } from "./check.ts";
import { checkDatabase } from "./check-database.ts";
import { checkRedis } from "./check-redis.ts";
import { checkStorage } from "./check-storage.ts";
import { checkVisitors } from "./check-visitors.ts";
import type { Look } from "./make-checks.ts";

/**
 * What the running server is asked, or else the database is opened for. To be taken one after the other: the embedded
 * database allows a single process. Of somebody else's folder it stays closed to root.
 */
export const dataLooks = async (
  composition: Composition,
  isRunning: boolean,
  users?: Users,
): Promise<Look[]> => {
  const asked = await askStatus(composition, isRunning);
  const obstacle = isRunning ? null : openingObstacle(composition, users);
  const remedy = asOwnerOf(composition.dataDir, users?.user);
  return [
    [
      "database",
      () => (obstacle === null ? checkDatabase(composition, isRunning) : fail("database", obstacle, remedy)),
    ],
    [
      "Redis",
      () =>
        obstacle === null
          ? checkRedis(composition, asked)
          : warn("Redis", "not known, as the settings are in the database", remedy),
    ],
    ["object storage", () => checkStorage(asked)],
    ["visitors", () => checkVisitors(asked)],
  ];
};
