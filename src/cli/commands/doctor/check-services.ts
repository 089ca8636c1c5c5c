import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { SystemStatus } from "#api/modules/system/contract.ts";
import { sourceText, storageCounts } from "#cli/commands/status.ts";
import type { Composition, PostgresFacts, RedisInspection } from "#cli/composition.ts";
import { faultText } from "#cli/failure.ts";
import { formatMinute } from "#cli/terminal/format.ts";
import { type AskedStatus, type Check, fail, ok, untold, warn } from "./checks.ts";

const redisName = "Redis";
const without = "each server has its own limits and cache, and events don't use Redis";

/**
 * The Redis server that is in use, by the word of the running server. Without one, the server that a start would use is
 * tried: a saved one before that of the environment.
 */
export const checkRedis = async (
  { inspectRedis }: Pick<Composition, "inspectRedis">,
  asked: AskedStatus,
): Promise<Check> => {
  if (asked !== null)
    return "problem" in asked ? untold(redisName, asked.problem) : judgeState(asked.status.redis);
  try {
    return judgeReport(await inspectRedis());
  } catch (error) {
    return warn(
      redisName,
      `unknown, because the settings cannot be read: ${faultText(error)}`,
      "see the database check; a Redis server in the settings takes precedence over REDIS_URL",
    );
  }
};

const judgeState = ({ state, server, source, since, reason }: SystemStatus["redis"]): Check => {
  if (state === "unused" || server === null || source === null)
    return ok(redisName, `not in use: ${without}`);
  const place = `${server}, from ${sourceText(source)}`;
  if (state === "up")
    return ok(redisName, `${place}, used for limits, cache and events since ${formatMinute(since)}`);
  if (state === "connecting")
    return warn(redisName, `${place}, connecting since ${formatMinute(since)}`, "run this again in a moment");
  const detail = `${place}, unavailable since ${formatMinute(since)}: ${reason ?? "unknown reason"}; ${without}`;
  return fail(redisName, detail, remedyFor(source));
};

const judgeReport = (report: RedisInspection | null): Check => {
  if (report === null) return ok(redisName, `not configured in the settings or with REDIS_URL: ${without}`);
  const place = `${report.server}, from ${sourceText(report.source)}`;
  if (!report.isUsable)
    return fail(redisName, `${place}, can't be used: ${report.reason}; ${without}`, remedyFor(report.source));
  const { version, latencyMs, warnings } = report;
  const speed = latencyMs === null ? "" : ` in ${latencyMs.toFixed(1)} ms`;
  const detail = `${place}, responds${speed}, version ${version ?? "unknown"}`;
  if (warnings.length === 0) return ok(redisName, detail);
  return warn(
    redisName,
    `${detail}; ${warnings.join("; ")}`,
    "find out what to do with: atrium settings test redis",
  );
};

const remedyFor = (source: RedisInspection["source"]): string =>
  source === "settings"
    ? "`atrium settings test redis` says what is wrong; change endpoint and password with: atrium settings set"
    : "check REDIS_URL and that this machine can connect to it; `atrium settings test redis` says what is wrong";

const postgresName = "PostgreSQL";

/** What of a PostgreSQL server does not suit Atrium; nothing for the embedded database. */
export const checkPostgres = async (inspect: () => Promise<PostgresFacts | null>): Promise<Check[]> => {
  try {
    const facts = await inspect();
    if (facts === null) return [];
    const findings = judge(facts);
    return findings.length > 0 ? findings : [ok(postgresName, `${facts.version}, ${connectionsOf(facts)}`)];
  } catch (error) {
    return [
      warn(
        postgresName,
        `could not be checked: ${faultText(error)}`,
        "see the database check; the user in DATABASE_URL needs no special permissions for this",
      ),
    ];
  }
};

const judge = (facts: PostgresFacts): Check[] => {
  const { version, versionNumber, hasTrgm, isReadOnly, unsafeSettings, sharesSessions, clockAheadMs } = facts;
  const free = facts.mostConnections - facts.openConnections;
  const found = [
    versionNumber < leastVersionNumber &&
      fail(postgresName, `is ${version}`, "Atrium needs PostgreSQL 15 or newer: upgrade the server"),
    !hasTrgm &&
      fail(
        postgresName,
        "the extension pg_trgm is missing",
        "install it, on Debian with the package postgresql-contrib",
      ),
    isReadOnly &&
      fail(
        postgresName,
        "accepts no writes: it is a standby or read-only",
        "use the primary in DATABASE_URL",
      ),
    sharesSessions &&
      fail(
        postgresName,
        "shares one connection between sessions: a pooler in transaction mode is in between",
        "set the pooler to session mode (PgBouncer: pool_mode = session), or connect directly",
      ),
    unsafeSettings.length > 0 &&
      warn(
        postgresName,
        `has ${unsafeSettings.join(", ")}: saved data can be lost in a power failure`,
        "turn it on in postgresql.conf",
      ),
    facts.mostConnections < connectionsOfServer &&
      warn(
        postgresName,
        `allows ${facts.mostConnections} connections, and each server can use ${connectionsOfServer}`,
        "raise max_connections",
      ),
    facts.mostConnections >= connectionsOfServer &&
      free < sparse &&
      warn(
        postgresName,
        connectionsOf(facts),
        `each server can use ${connectionsOfServer}: raise max_connections, or close other connections`,
      ),
    Math.abs(clockAheadMs) > mostSkewMs &&
      warn(
        postgresName,
        `its clock is ${Math.round(Math.abs(clockAheadMs) / 1000)} s ${clockAheadMs > 0 ? "ahead of" : "behind"} this machine's`,
        "synchronize both machines with a time server (chrony, systemd-timesyncd)",
      ),
  ];
  return found.filter((check) => check !== false);
};

const connectionsOf = ({ openConnections, mostConnections }: PostgresFacts): string =>
  `${openConnections} of ${mostConnections} connections open`;

const leastVersionNumber = 150_000;
// The pool, one for look-ups, one that listens, and one for migrations.
const connectionsOfServer = 13;
const sparse = 5;
const mostSkewMs = 5_000;

const storageName = "object storage";
const testIt = "find out what is wrong with: atrium settings test r2";

/** Where the running server keeps files, whether it can reach them, and whether all are where they belong. */
export const checkStorage = (asked: AskedStatus): Check => {
  if (asked === null)
    return ok(storageName, "unknown while no server is running; test it with: atrium settings test r2");
  if ("problem" in asked) return untold(storageName, asked.problem);
  const { storage } = asked.status;
  const { state, server, since, reason, migration } = storage;
  const counts = storageCounts(storage);
  if (state === "unused" || server === null) return ok(storageName, `in the database; ${counts}`);
  if (state === "away")
    return fail(
      storageName,
      `${server} unavailable since ${formatMinute(since)}: ${reason ?? "unknown reason"}; ${counts}`,
      testIt,
    );
  if (state === "connecting")
    return warn(storageName, `${server} has not responded yet; ${counts}`, "run this again in a moment");
  const detail = `${server}, in use since ${formatMinute(since)}; ${counts}`;
  return migration !== null && migration.failed > 0
    ? warn(storageName, detail, testIt)
    : ok(storageName, detail);
};

const mailName = "mail";

/** Connects to the mail server and waits for its greeting, `deadlineMs` at most; nothing is sent but the goodbye. */
export const checkMail = async (smtpUrl: string | null, deadlineMs = 5_000): Promise<Check> => {
  if (smtpUrl === null)
    return ok(
      mailName,
      "SMTP_URL is not set: emails are saved to the outbox folder and their links are logged",
    );
  const url = new URL(smtpUrl);
  const isTls = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (isTls ? 465 : 587));
  // TLS knows servers by name; an address has none to tell.
  const servername = isIP(host) > 0 ? {} : { servername: host };
  const open = () => (isTls ? connectTls({ host, port, ...servername }) : connectPlain({ host, port }));
  const problem = await greetingProblem(open, deadlineMs);
  const target = `${host}:${port}`;
  return problem === null
    ? ok(mailName, `${target} responds (user name and password were not tested)`)
    : fail(mailName, `${target}: ${problem}`, "check SMTP_URL and that this machine can connect to it");
};

const greetingProblem = (open: () => Socket, deadlineMs: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = open();
    let received = "";
    const finish = (problem: string | null) => {
      socket.end("QUIT\r\n");
      socket.destroySoon();
      resolve(problem);
    };
    socket.setTimeout(deadlineMs, () => finish("timeout while waiting for a greeting"));
    socket.on("error", (error) => finish(causes.get(codeOf(error)) ?? `cannot connect (${codeOf(error)})`));
    socket.on("end", () => finish("closed the connection without a greeting"));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.length < 4) return;
      finish(received.startsWith("220") ? null : "is not a mail server");
    });
  });

const causes = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ENOTFOUND", "unknown host name"],
  ["EAI_AGAIN", "the host name could not be resolved"],
  ["ETIMEDOUT", "no response"],
  ["EHOSTUNREACH", "no route to the host"],
  ["ENETUNREACH", "no route to the network"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "its certificate is self-signed"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate is not trusted"],
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another host"],
]);

const codeOf = (error: Error): string => String(Reflect.get(error, "code") ?? error.name);
