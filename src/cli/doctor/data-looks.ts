import { openRunning } from "#cli/client.ts";
import type { Composition, DatabaseReport } from "#cli/composition.ts";
import type { FailureKind } from "#cli/failure.ts";
import { formatBytes } from "#cli/format.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { faultText, toFailure } from "#cli/to-failure.ts";
import { asOwnerOf, openingObstacle, type Users } from "./as-owner.ts";
import { askStatus } from "./ask-status.ts";
import { type Check, fail, ok, warn } from "./check.ts";
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

const name = "database";

/**
 * The database: reachable, and on this version's schema. A running server is asked, as it holds the embedded one;
 * otherwise the database is opened, looked at and closed again, without a change.
 */
const checkDatabase = async (composition: Composition, isServerRunning: boolean): Promise<Check> => {
  try {
    if (isServerRunning) return await askServer(composition);
    if (!composition.hasDatabase()) return ok(name, "does not exist yet; the first start makes it");
    return judge(await composition.inspectDatabase());
  } catch (error) {
    const { kind } = toFailure(error);
    const isEmbedded = composition.config().databaseUrl === null;
    return fail(name, faultText(error), remedies[kind] ?? (isEmbedded ? embeddedRemedy : serverRemedy));
  }
};

// Where the message itself says what to do, and about the database rather than about how it is reached.
const asItSays = "do what this says; no server starts before that, and nothing was changed";
const remedies: Partial<Record<FailureKind, string>> = {
  DATABASE_UNFIT: asItSays,
  CONFIG_UNUSABLE: asItSays,
  DATA_DIR_IN_USE: "run this again once that process has ended",
};
const embeddedRemedy = "if it stays so, go back to a snapshot: atrium snapshot list";
const serverRemedy = "check DATABASE_URL, and that the database runs; the log says more";

const askServer = async (composition: Composition): Promise<Check> => {
  const client = await openRunning(composition, null);
  if (client === null) return fail(name, "the server ended meanwhile", "run this command again");
  await client.ready();
  const { database } = (await operationsOf(client).system.info()).data;
  return ok(
    name,
    `${database.kind}, ${database.version}, ${formatBytes(database.sizeBytes)}, migrated by the running server`,
  );
};

const judge = ({ kind, version, sizeBytes, migrations }: DatabaseReport): Check => {
  const pending = migrations.filter(({ appliedAt }) => appliedAt === null).length;
  const detail = `${kind}, ${version}, ${formatBytes(sizeBytes)}`;
  if (pending > 0)
    return warn(
      name,
      `${detail}; ${pending} migrations wait`,
      "the next start applies them, as does: atrium migrate",
    );
  return ok(name, `${detail}, all ${migrations.length} migrations applied`);
};
