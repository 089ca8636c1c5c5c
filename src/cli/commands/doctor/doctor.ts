import { statSync } from "node:fs";
import type { Command } from "commander";
import type { ConfigRow } from "#api/config/describe-config.ts";
import type { Config } from "#api/config.ts";
import type { Composition, DatabaseReport } from "#cli/composition.ts";
import { CliFailure, type FailureKind, faultText, shellWord, toFailure } from "#cli/failure.ts";
import { type Cli, examples, type GlobalOptions, handler } from "#cli/invocation.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { createProgress, duringStep } from "#cli/terminal/progress.ts";
import { type Column, formatTable, whole } from "#cli/terminal/table.ts";
import { openRunning, operationsOf } from "../../client/client.ts";
import { isServerRunning } from "../../client/transport.ts";
import { formatBytes } from "../../terminal/format.ts";
import { asOwnerOf, openingObstacle, type Users } from "./as-owner.ts";
import { askBackups, checkCopies } from "./check-copies.ts";
import {
  checkClock,
  checkDataFolder,
  checkFreeSpace,
  checkKeyFile,
  checkLeftovers,
  checkLock,
  checkPasswordFilter,
  checkSocket,
  lockHolder,
} from "./check-folder.ts";
import { checkFileSystem, checkInodes, checkProcess } from "./check-machine.ts";
import { checkOrigin, checkPasskeys, checkReach, checkVisitors } from "./check-reach.ts";
import { checkMail, checkPostgres, checkRedis, checkStorage } from "./check-services.ts";
import { askStatus, type Check, fail, type Look, makeChecks, ok, warn } from "./checks.ts";

/** What `doctor` found: the effective configuration with secrets masked, and the checks in the order they were made. */
type Diagnosis = { config: DiagnosedRow[]; checks: Check[] };
type DiagnosedRow = Omit<ConfigRow, "source"> & { source: ConfigRow["source"] | "--data-dir" };

/** `doctor`: shows the effective configuration and looks for what is wrong. */
export const addDoctorCommand = (program: Command, cli: Cli): void => {
  program
    .command("doctor")
    .summary("find problems of the installation")
    .description(
      "Shows the effective configuration with secrets masked, and checks the data folder, disk, leftovers, lock, clock, key, " +
        "snapshots, backups, database, Redis, object storage, visitors' IP addresses, mail server and public " +
        "URL. It changes nothing. Ends with 1 if a check fails, but not for warnings.",
    )
    .addHelpText(
      "after",
      examples(
        ["Check this installation", "atrium doctor"],
        ["Check another data folder", "atrium doctor --data-dir /var/lib/atrium"],
        ["Failed checks, for a script", "atrium doctor --json | jq '.checks[] | select(.state == \"fail\")'"],
      ),
    )
    .action(
      handler<GlobalOptions>(
        cli,
        async ({ composition, output, terminal }, options) => {
          const checks = await duringStep(createProgress(terminal), "checking the installation", () =>
            runChecks(composition),
          );
          const diagnosis = { config: configOf(composition, options.dataDir), checks };
          output.result(diagnosis, diagnosisText);
          const failed = diagnosis.checks.filter(({ state }) => state === "fail").length;
          if (failed > 0)
            throw new CliFailure(
              "CHECKS_FAILED",
              failed === 1 ? "1 check failed" : `${failed} checks failed`,
            );
        },
        { isLocal: true, isDiagnosis: true },
      ),
    );
};

/** The data folder is shown as it is found, wherever the command is run. */
const configOf = (composition: Composition, given: string | undefined): DiagnosedRow[] =>
  composition.describeConfig().map((row) => {
    if (row.variable !== "DATA_DIR") return row;
    return { ...row, value: composition.dataDir, source: given ? "--data-dir" : row.source };
  });

const diagnosisText = ({ config, checks }: Diagnosis, style: Style): string =>
  [
    style.bold("Configuration"),
    formatTable(configColumns(style), config, style),
    "",
    style.bold("Checks"),
    ...checks.flatMap((check) => checkLines(check, style)),
  ].join("\n");

const configColumns = (style: Style): Column<DiagnosedRow>[] => [
  { heading: "VARIABLE", cell: ({ variable }) => variable, least: whole },
  {
    heading: "VALUE",
    // What is wrong with it stands at its end.
    isWrapped: true,
    least: 16,
    cell: ({ value, problem }) => (problem === null ? value : `${value} (expected ${problem})`),
    paint: (text, { problem }) => (problem === null ? text : style.red(text)),
  },
  { heading: "FROM", cell: ({ source }) => source, least: whole },
];

const checkLines = ({ name, state, detail, remedy }: Check, style: Style): string[] => {
  const paint = { ok: style.green, warn: style.yellow, fail: style.red }[state];
  const line = `${paint(state.padEnd(4))}  ${name}: ${printable(detail)}`;
  return remedy === null ? [line] : [line, `      ${printable(remedy)}`];
};

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
    // A first start that is not through has a database before it has a key.
    [
      "key",
      () => checkKeyFile(dataDir, config.appSecret !== null, composition.hasDatabase() && !isInUse(dataDir)),
    ],
    ["breached passwords", async () => checkPasswordFilter(await composition.inspectBreachFilter())],
    ["metrics token", () => checkMetricsToken(config)],
    ["snapshots and backups", () => copyChecks(composition, config, isRunning)],
  ];
  // Checks that wait for other machines run at the same time.
  const far: Look[][] = [
    await dataLooks(composition, isRunning),
    [["PostgreSQL", () => checkPostgres(composition.inspectPostgres)]],
    [["mail", () => checkMail(config.smtpUrl)]],
    [
      [
        "public address",
        async () =>
          checkOrigin(config, isRunning ? ((await runningInfo(composition))?.appUrl ?? null) : null),
      ],
      [
        "passkeys",
        async () =>
          // Servers of version 1.1 and before don't tell.
          checkPasskeys(
            config,
            isRunning ? ((await runningInfo(composition))?.passkeysOfOtherHosts ?? 0) : 0,
          ),
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

/** What the running server tells of itself; `null` when it does not, which other checks complain of. */
const runningInfo = async (composition: Composition) => {
  try {
    const client = await openRunning(composition, null);
    return client ? (await operationsOf(client).system.info()).data : null;
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
      check: fail("configuration", `${message}: ${names}`, "the list above shows the expected values"),
    };
  }
};

const lookForServer = async ({
  controlSocket,
  dataDir,
}: Composition): Promise<{ isRunning: boolean; check: Check }> => {
  try {
    const isRunning = await isServerRunning(controlSocket);
    const other = isInUse(dataDir) ? "starting or stopping, or another command is running" : "not running";
    return { isRunning, check: ok("server", isRunning ? "running" : other) };
  } catch (error) {
    const { kind, message } = toFailure(error);
    const remedy =
      kind === "FORBIDDEN" ? ownSocketRemedy(dataDir, controlSocket) : "end the process that uses the socket";
    const check = fail("server", message, remedy);
    return { isRunning: false, check };
  }
};

const isInUse = (dataDir: string): boolean => lockHolder(dataDir) !== null;

/** In one's own folder, another user's socket must be removed: changing its owner would make it trusted. */
const ownSocketRemedy = (dataDir: string, controlSocket: string): string =>
  statSync(dataDir, { throwIfNoEntry: false })?.uid === process.getuid?.()
    ? `find out who created it, then run: rm ${shellWord(controlSocket)} && chmod 700 ${shellWord(dataDir)}, and restart the server`
    : asOwnerOf(dataDir);

/** Whether the token for metrics could be guessed; nothing while there is none. */
export const checkMetricsToken = ({ metricsToken }: Pick<Config, "metricsToken">): Check[] => {
  if (metricsToken === null) return [];
  const name = "metrics token";
  const isWeak = Buffer.byteLength(metricsToken) < leastBytes || new Set(metricsToken).size < leastDifferent;
  return [
    isWeak
      ? warn(name, "METRICS_TOKEN is easy to guess", "create another one: openssl rand -hex 24")
      : ok(name, `${Buffer.byteLength(metricsToken)} bytes`),
  ];
};

const leastBytes = 24;
const leastDifferent = 8;

/**
 * What the running server is asked, or else the database is opened for. To be taken one after the other: the embedded
 * database allows a single process. As root it is not opened in another user's folder.
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
          : warn("Redis", "unknown, because the settings are in the database", remedy),
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
    if (!composition.hasDatabase()) return ok(name, "does not exist yet; the first start creates it");
    return judge(await composition.inspectDatabase());
  } catch (error) {
    const { kind } = toFailure(error);
    // A start, which ends soon; what stays is the lock's to complain of.
    if (kind === "DATA_DIR_IN_USE")
      return warn(name, `could not be checked: ${faultText(error)}`, "run this again in a moment");
    const isEmbedded = composition.config().databaseUrl === null;
    return fail(name, faultText(error), remedies[kind] ?? (isEmbedded ? embeddedRemedy : serverRemedy));
  }
};

// Where the message itself says what to do, and about the database rather than about how it is reached.
const asItSays = "fix this first: no server can start until then; nothing was changed";
const remedies: Partial<Record<FailureKind, string>> = {
  DATABASE_UNFIT: asItSays,
  CONFIG_UNUSABLE: asItSays,
};
const embeddedRemedy = "if it fails again, restore a snapshot; list them with: atrium snapshot list";
const serverRemedy = "check DATABASE_URL and that the database is running; see the log for details";

const askServer = async (composition: Composition): Promise<Check> => {
  const client = await openRunning(composition, null);
  if (client === null) return fail(name, "the server stopped in the meantime", "run this command again");
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
      `${detail}; ${pending} pending migrations`,
      "the next start applies them; to apply them now: atrium migrate",
    );
  return ok(name, `${detail}, all ${migrations.length} migrations applied`);
};
