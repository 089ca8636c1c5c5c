import type { Command } from "commander";
import type { BackupHealth } from "#api/modules/backups/contract.ts";
import type { SystemInfo, SystemParts, SystemStatus } from "#api/modules/system/contract.ts";
import { type Client, openRunning, operationsOf } from "#cli/client/client.ts";
import { CliFailure, exitCodes, type FailureKind, serveIt } from "#cli/failure.ts";
import { type Cli, examples, type GlobalOptions, handler } from "#cli/invocation.ts";
import { formatBytes, formatCount, formatDuration, formatMinute } from "#cli/terminal/format.ts";
import type { Style } from "#cli/terminal/output.ts";
import { formatFacts } from "#cli/terminal/table.ts";
import { isManagedByFirewall, type StorageState } from "#contract/settings.ts";
import { backupsText } from "../backups/restore-text.ts";

type Report = SystemInfo & SystemStatus & { backups: BackupHealth | null; readiness: SystemParts | null };
type StatusOptions = GlobalOptions & { live?: true };

/** `status`: show the state of the running server. */
export const addStatusCommand = (program: Command, cli: Cli): void => {
  program
    .command("status")
    .summary("show the state of the running server")
    .description(
      "Shows whether the running server is ready or what is degraded, its version, uptime, database, email, " +
        "accounts, Redis, object storage, rate limiting, backups and firewall. Ends " +
        "with 3 if no server is running, and with 1 if it can't say more, for example because its database is unavailable.",
    )
    .option("--live", "only check whether the server responds, like a health check")
    .addHelpText(
      "after",
      examples(
        ["The server on this machine", "atrium status"],
        ["Another server", "ATRIUM_TOKEN=… atrium status --url https://atrium.example"],
        ["One value, for a script", "atrium status --json | jq .database.sizeBytes"],
        ["Check whether Redis is used", "atrium status --json | jq -r .redis.state"],
        ["Check whether the server needs a restart", "atrium status --live"],
      ),
    )
    .action(
      handler<StatusOptions>(cli, async ({ composition, output, remote }, options) => {
        const client = await openRunning(composition, await remote());
        if (client === null) {
          throw new CliFailure(
            "UNREACHABLE",
            `no server is running on the data folder ${composition.dataDir}; start it: ${serveIt(composition.dataDir)}`,
          );
        }
        if (options.live === true) {
          const { status } = await operationsOf(client, { timeoutMs: liveMs }).system.health();
          output.result({ status }, () => status);
          return;
        }
        output.result(await reportOf(client), statusText);
      }),
    );
};

// Less than a supervisor gives its health check.
const liveMs = 5_000;

const reportOf = async (client: Client): Promise<Report> => {
  try {
    const { system, backups } = operationsOf(client);
    return {
      readiness: (await ofNewer(system.parts()))?.data ?? null,
      ...(await system.info()).data,
      ...(await system.status()).data,
      backups: (await ofNewer(backups.health()))?.data ?? null,
    };
  } catch (error) {
    const state = error instanceof CliFailure ? unreadyTexts[error.kind] : undefined;
    if (state === undefined || !(error instanceof CliFailure)) throw error;
    const { kind, data } = error;
    throw new CliFailure(kind, `the server is running; ${state}`, {
      ...{ cause: error, exitCode: exitCodes.failed },
      ...(data === undefined ? {} : { data }),
    });
  }
};

/** Why a server that answers can tell no more. */
const unreadyTexts: Partial<Record<FailureKind, string>> = {
  DB_UNAVAILABLE: "the database is unavailable",
  SHUTTING_DOWN: "it is stopping",
  STARTING: "it is starting",
};

/** `null` where a server of an older version runs, as it does in the middle of an upgrade. */
const ofNewer = async <T>(answer: Promise<T>): Promise<T | null> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CliFailure && error.kind === "NOT_FOUND") return null;
    throw error;
  }
};

const statusText = (info: Report, style: Style): string =>
  formatFacts(
    [
      ["Server", `running${readinessText(info.readiness)}, public URL ${info.appUrl}`],
      ["Version", info.version],
      ["Up", `${formatDuration(info.uptimeS)}, since ${formatMinute(info.startedAt)}`],
      ["Memory", `${formatBytes(info.node.rssBytes)} on ${info.node.cpus} processors`],
      ["Database", databaseText(info.database)],
      ["Email", mailText(info.mail)],
      ["Accounts", accountsText(info.users)],
      ["Redis", redisText(info.redis)],
      ["Object storage", storageText(info.storage)],
      ...(info.backups === null ? [] : [["Backups", backupsText(info.backups, style)] as const]),
      ...breachFacts(info),
      ...homeFacts(info),
      ["Requests", limitText(info)],
      ["Firewall", firewallText(info.firewall)],
      ...safeModeFacts(info),
      ...warningFacts(info.visitor),
    ],
    style,
  );

const readinessText = (readiness: SystemParts | null): string => {
  if (readiness === null) return "";
  const { status, parts } = readiness;
  const amiss = Object.entries(parts).filter(([, { state }]) => state === "away" || state === "degraded");
  if (status === "ready" || amiss.length === 0) return `, ${status}`;
  const told = amiss.map(([part, { state, note }]) => `${part} ${state}${note === null ? "" : `: ${note}`}`);
  return `, ${status} (${told.join("; ")})`;
};

const safeModeFacts = ({ isSafeMode }: Report): [name: string, value: string][] =>
  isSafeMode
    ? [["Plugins", "all off until the next start, because the server was started in safe mode"]]
    : [];

const warningFacts = ({ warning }: Report["visitor"]): [name: string, value: string][] =>
  warning === null ? [] : [["Proxy", warning]];

const homeFacts = ({ missingHome }: Report): [name: string, value: string][] =>
  typeof missingHome === "string"
    ? [["Home page", `${missingHome} is not in this build; the landing page is shown`]]
    : [];

const redisText = (redis: Report["redis"]): string =>
  redis.source === null ? "none" : `${serviceText(redis)}; from ${sourceText(redis.source)}`;

const storageText = (storage: Report["storage"]): string => {
  const place = storage.home === "r2" ? "bucket" : "database";
  const service = storage.server === null ? "" : `; ${serviceText(storage)}`;
  return `${place}${service}; ${storageCounts(storage)}`;
};

// Servers before version 1.2 don't tell.
const breachFacts = ({ breachCheck }: Report): [name: string, value: string][] => {
  if (breachCheck === undefined || breachCheck.mode === "off") return [];
  const { failedAt } = breachCheck;
  const failure = failedAt === null ? "" : `; not reachable at ${formatMinute(failedAt)}`;
  return [["Breach check", `Have I Been Pwned${failure}`]];
};

const serviceText = ({ state, server, since, reason }: Report["redis"]): string => {
  const moment = formatMinute(since);
  if (state === "up") return `${server}, in use since ${moment}`;
  if (state === "away") return `${server}, unavailable since ${moment}: ${reason ?? "unknown reason"}`;
  return `${server}, ${state === "unused" ? "not in use" : "connecting"}`;
};

const limitText = ({ limiter, firewall }: Report): string => {
  if (limiter.isEnabled)
    return limiter.store === "redis" ? "counted in Redis" : "counted in the server's memory";
  return isManagedByFirewall(firewall) && firewall.rateLimitingEnabled
    ? "counted by the firewall"
    : "not limited";
};

const firewallText = (firewall: Report["firewall"]): string => {
  if (!firewall.installed) return "not installed";
  if (!firewall.enabled) return "installed, not enabled";
  if (!firewall.masterSwitchEnabled) return "enabled, but its main switch is off";
  const limit = firewall.rateLimitingEnabled ? "on" : "off";
  return `on, with its limit ${limit}${firewall.developmentModeEnabled ? ", in development mode" : ""}`;
};

const accountsText = ({ total, admins, pending }: SystemInfo["users"]): string => {
  const waiting = pending === 1 ? "1 pending registration" : `${pending} pending registrations`;
  return `${total}, including ${admins} ${admins === 1 ? "administrator" : "administrators"}; ${waiting}`;
};

const databaseText = ({ kind, version, sizeBytes, latencyMs }: SystemInfo["database"]): string =>
  `${kind}, ${version}, ${formatBytes(sizeBytes)}, responds in ${latencyMs} ms`;

const mailText = ({ transport, waiting, dead }: SystemInfo["mail"]): string =>
  `${transport === "smtp" ? "SMTP" : "files in the outbox folder"}, ${waiting} waiting, ${dead} given up`;

/** Who set a service up, as the end of "from …". */
export const sourceText = (source: "settings" | "environment"): string =>
  source === "settings" ? "the settings" : "REDIS_URL";

/** How many files lie where, and how far their move is. */
export const storageCounts = ({
  inDatabase,
  inR2,
  home,
  migration,
}: Pick<StorageState, "inDatabase" | "inR2" | "home" | "migration">): string => {
  const counts = `${files(inDatabase)} in the database, ${files(inR2)} in the bucket`;
  if (migration === null) return counts;
  const { moved, total, bytes, failed } = migration;
  const place = home === "r2" ? "bucket" : "database";
  const progress = `${formatCount(moved)} of ${formatCount(total)} moved to the ${place} (${formatBytes(bytes)})`;
  return `${counts}; ${progress}${failed === 0 ? "" : `, ${formatCount(failed)} failed`}`;
};

const files = (count: number): string => (count === 1 ? "1 file" : `${formatCount(count)} files`);
