import type { Config } from "#api/config.ts";
import { openRunning } from "#cli/client.ts";
import type { Composition } from "#cli/composition.ts";
import { toFailure } from "#cli/to-failure.ts";
import { isServerRunning } from "#cli/transport.ts";
import { askBackups } from "./ask-backups.ts";
import { askStatus } from "./ask-status.ts";
import { type Check, fail, ok } from "./check.ts";
import { checkCopies } from "./check-copies.ts";
import { checkDatabase } from "./check-database.ts";
import { checkFileSystem, checkInodes } from "./check-disk.ts";
import { checkClock, checkDataFolder, checkFreeSpace, checkKeyFile, checkLock } from "./check-folder.ts";
import { checkLeftovers, checkSocket } from "./check-leftovers.ts";
import { checkMail } from "./check-mail.ts";
import { checkOrigin } from "./check-origin.ts";
import { checkPostgres } from "./check-postgres.ts";
import { checkProcess } from "./check-process.ts";
import { checkReach } from "./check-reach.ts";
import { checkRedis } from "./check-redis.ts";
import { checkStorage } from "./check-storage.ts";
import { checkMetricsToken } from "./check-tokens.ts";
import { checkVisitors } from "./check-visitors.ts";

/** Looks at everything that an installation needs, and changes nothing. Without a usable configuration the checks that need one are left out. */
export const runChecks = async (composition: Composition): Promise<Check[]> => {
  const { dataDir } = composition;
  const server = await lookForServer(composition);
  const config = readConfig(composition);
  const isRunning = server.isRunning;
  return [
    config.check,
    server.check,
    checkDataFolder(dataDir),
    checkFreeSpace(dataDir),
    checkInodes(dataDir),
    checkLeftovers(dataDir, new Date()),
    checkLock(dataDir, isRunning),
    checkSocket(composition.controlSocket, isRunning),
    ...checkProcess(dataDir, isRunning),
    checkClock(dataDir, new Date()),
    ...(config.value === null ? [] : await configuredChecks(composition, config.value, isRunning)),
  ];
};

const configuredChecks = async (
  composition: Composition,
  config: Config,
  isRunning: boolean,
): Promise<Check[]> => [
  checkFileSystem(config.dataDir, config.databaseUrl === null),
  checkKeyFile(config.dataDir, config.appSecret !== null, composition.hasDatabase()),
  ...checkMetricsToken(config),
  ...checkCopies(
    config.dataDir,
    {
      embedded: config.databaseUrl === null,
      database: composition.hasDatabase(),
      backups: await askBackups(composition, isRunning),
    },
    new Date(),
  ),
  ...(
    await Promise.all([
      dataChecks(composition, isRunning),
      checkPostgres(composition.inspectPostgres),
      checkMail(config.smtpUrl),
      checkOrigin(config, isRunning ? await runningAddress(composition) : null),
      checkReach(config.appUrl, { isRunning }),
    ])
  ).flat(),
];

/** One after the other: without a server each opens the database, which the embedded one allows a single process. */
const dataChecks = async (composition: Composition, isRunning: boolean): Promise<Check[]> => {
  const asked = await askStatus(composition, isRunning);
  return [
    await checkDatabase(composition, isRunning),
    await checkRedis(composition, asked),
    checkStorage(asked),
    checkVisitors(asked),
  ];
};

/** The public address of the running server; `null` when it does not tell, which other checks complain of. */
const runningAddress = async (composition: Composition): Promise<string | null> => {
  try {
    const client = await openRunning(composition, null);
    return client ? (await client.call("GET /api/system/info")).appUrl : null;
  } catch {
    return null;
  }
};

const readConfig = (composition: Composition): { value: Config | null; check: Check } => {
  try {
    return { value: composition.config(), check: ok("configuration", "every variable is usable") };
  } catch (error) {
    const { message, errors } = toFailure(error);
    const names = errors.map(({ path }) => path).join(", ");
    return {
      value: null,
      check: fail(
        "configuration",
        `${message}: ${names}`,
        "the list above says what each is expected to hold",
      ),
    };
  }
};

const lookForServer = async ({
  controlSocket,
}: Composition): Promise<{ isRunning: boolean; check: Check }> => {
  try {
    const isRunning = await isServerRunning(controlSocket);
    return { isRunning, check: ok("server", isRunning ? "running" : "not running") };
  } catch (error) {
    const check = fail(
      "server",
      toFailure(error).message,
      "end the process that holds the socket, or run as its owner",
    );
    return { isRunning: false, check };
  }
};
