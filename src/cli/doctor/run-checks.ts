import { statSync } from "node:fs";
import type { Config } from "#api/config.ts";
import { openRunning } from "#cli/client.ts";
import type { Composition } from "#cli/composition.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { toFailure } from "#cli/to-failure.ts";
import { isServerRunning } from "#cli/transport.ts";
import { asOwnerOf } from "./as-owner.ts";
import { askBackups } from "./ask-backups.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import { checkCopies } from "./check-copies.ts";
import { checkFileSystem, checkInodes } from "./check-disk.ts";
import { checkClock, checkDataFolder, checkFreeSpace, checkKeyFile, checkLock } from "./check-folder.ts";
import { checkLeftovers, checkSocket } from "./check-leftovers.ts";
import { checkMail } from "./check-mail.ts";
import { checkOrigin } from "./check-origin.ts";
import { checkPostgres } from "./check-postgres.ts";
import { checkProcess } from "./check-process.ts";
import { checkReach } from "./check-reach.ts";
import { dataLooks } from "./data-looks.ts";
import { type Look, makeChecks } from "./make-checks.ts";
import { shellWord } from "./shell-word.ts";

/**
 * Looks at everything that an installation needs, and changes nothing. Whatever cannot be looked at is a failed check of its
 * own. Without a usable configuration the checks that need one are left out.
 */
export const runChecks = async (composition: Composition): Promise<Check[]> => {
  const { dataDir, controlSocket } = composition;
  const server = await lookForServer(composition);
  const config = readConfig(composition);
  const isRunning = server.isRunning;
  const looks: Look[] = [
    ["data folder", () => checkDataFolder(dataDir)],
    ["free space", () => checkFreeSpace(dataDir)],
    ["free inodes", () => checkInodes(dataDir)],
    ["leftovers", () => checkLeftovers(dataDir, new Date())],
    ["lock", () => checkLock(dataDir, isRunning)],
    ["control socket", () => checkSocket(controlSocket, isRunning)],
    ["process", () => checkProcess(dataDir, isRunning)],
    ["clock", () => checkClock(dataDir, new Date())],
  ];
  return [
    config.check,
    server.check,
    ...(await makeChecks(looks, dataDir)),
    ...(config.value === null ? [] : await configuredChecks(composition, config.value, isRunning)),
  ];
};

const configuredChecks = async (
  composition: Composition,
  config: Config,
  isRunning: boolean,
): Promise<Check[]> => {
  const { dataDir, databaseUrl } = config;
  const near: Look[] = [
    ["file system", () => checkFileSystem(dataDir, databaseUrl === null)],
    ["key", () => checkKeyFile(dataDir, config.appSecret !== null, composition.hasDatabase())],
    ["metrics token", () => checkMetricsToken(config)],
    ["snapshots and backups", () => copyChecks(composition, config, isRunning)],
  ];
  // What waits for somebody else waits beside the others.
  const far: Look[][] = [
    await dataLooks(composition, isRunning),
    [["PostgreSQL", () => checkPostgres(composition.inspectPostgres)]],
    [["mail", () => checkMail(config.smtpUrl)]],
    [
      [
        "public address",
        async () => checkOrigin(config, isRunning ? await runningAddress(composition) : null),
      ],
    ],
    [["reachable", () => checkReach(config.appUrl, { isRunning })]],
  ];
  return [
    ...(await makeChecks(near, dataDir)),
    ...(await Promise.all(far.map((looks) => makeChecks(looks, dataDir)))).flat(),
  ];
};

const copyChecks = async (
  composition: Composition,
  { dataDir, databaseUrl }: Config,
  isRunning: boolean,
): Promise<Check[]> =>
  checkCopies(
    dataDir,
    {
      embedded: databaseUrl === null,
      database: composition.hasDatabase(),
      backups: await askBackups(composition, isRunning),
    },
    new Date(),
  );

/** The public address of the running server; `null` when it does not tell, which other checks complain of. */
const runningAddress = async (composition: Composition): Promise<string | null> => {
  try {
    const client = await openRunning(composition, null);
    return client ? (await operationsOf(client).system.info()).data.appUrl : null;
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
  dataDir,
}: Composition): Promise<{ isRunning: boolean; check: Check }> => {
  try {
    const isRunning = await isServerRunning(controlSocket);
    return { isRunning, check: ok("server", isRunning ? "running" : "not running") };
  } catch (error) {
    const { kind, message } = toFailure(error);
    const remedy =
      kind === "FORBIDDEN"
        ? ownSocketRemedy(dataDir, controlSocket)
        : "end the process that holds the socket";
    const check = fail("server", message, remedy);
    return { isRunning: false, check };
  }
};

/** In a folder of one's own a socket of somebody else's is not to be given a better owner, which would have it trusted. */
const ownSocketRemedy = (dataDir: string, controlSocket: string): string =>
  statSync(dataDir, { throwIfNoEntry: false })?.uid === process.getuid?.()
    ? `once you know who put it there: rm ${shellWord(controlSocket)} && chmod 700 ${shellWord(dataDir)}, and start the server again`
    : asOwnerOf(dataDir);

/** Whether the token for metrics could be guessed; nothing while there is none. */
export const checkMetricsToken = ({ metricsToken }: Pick<Config, "metricsToken">): Check[] => {
  if (metricsToken === null) return [];
  const name = "metrics token";
  const isWeak = Buffer.byteLength(metricsToken) < leastBytes || new Set(metricsToken).size < leastDifferent;
  return [
    isWeak
      ? warn(name, "METRICS_TOKEN is easy to guess", "make another one with: openssl rand -hex 24")
      : ok(name, `${Buffer.byteLength(metricsToken)} bytes`),
  ];
};

const leastBytes = 24;
const leastDifferent = 8;
