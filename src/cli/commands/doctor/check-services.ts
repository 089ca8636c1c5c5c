import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { SystemStatus } from "#api/modules/system/contract.ts";
import { sourceText, storageCounts } from "#cli/commands/status.ts";
import type { Composition, PostgresFacts, RedisInspection } from "#cli/composition.ts";
import { faultText } from "#cli/failure.ts";
import { formatMinute } from "#cli/terminal/format.ts";
import { type AskedStatus, type Check, fail, ok, untold, warn } from "./checks.ts";

const redisName = "Redis";
const without = "each server keeps limits and cache to itself, and events go without Redis";

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
      `not known, as the settings cannot be read: ${faultText(error)}`,
      "see the database above; a Redis server saved in the settings goes before REDIS_URL",
    );
  }
};

const judgeState = ({ state, server, source, since, reason }: SystemStatus["redis"]): Check => {
  if (state === "unused" || server === null || source === null)
    return ok(redisName, `none is in use: ${without}`);
  const place = `${server}, from ${sourceText(source)}`;
  if (state === "up")
    return ok(redisName, `${place}, in use for limits, cache and events since ${formatMinute(since)}`);
  if (state === "connecting")
    return warn(
      redisName,
      `${place}, is being connected to since ${formatMinute(since)}`,
      "run this again in a moment",
    );
  const detail = `${place}, is away since ${formatMinute(since)}: ${reason ?? "no reason given"}; ${without}`;
  return fail(redisName, detail, remedyFor(source));
};

const judgeReport = (report: RedisInspection | null): Check => {
  if (report === null)
    return ok(redisName, `none is saved in the settings, and no REDIS_URL is set: ${without}`);
  const place = `${report.server}, from ${sourceText(report.source)}`;
  if (!report.isUsable)
    return fail(
      redisName,
      `${place}, cannot be used: ${report.reason}; ${without}`,
      remedyFor(report.source),
    );
  const { version, latencyMs, warnings } = report;
  const speed = latencyMs === null ? "" : ` in ${latencyMs.toFixed(1)} ms`;
  const detail = `${place}, answers${speed}, version ${version ?? "unknown"}`;
  if (warnings.length === 0) return ok(redisName, detail);
  return warn(
    redisName,
    `${detail}; ${warnings.join("; ")}`,
    "what to do is said by: atrium settings test redis",
  );
};

const remedyFor = (source: RedisInspection["source"]): string =>
  source === "settings"
    ? "`atrium settings test redis` says what is wrong; endpoint and password are changed with: atrium settings set"
    : "check REDIS_URL, and that this machine may connect to it; `atrium settings test redis` says what is wrong";

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
        `cannot be looked at: ${faultText(error)}`,
        "see the database above; the user of DATABASE_URL needs no special rights for it",
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
        "has no extension pg_trgm",
        "install it: Debian has it in the package postgresql-contrib",
      ),
    isReadOnly &&
      fail(
        postgresName,
        "takes no writes: it is a standby or set to read only",
        "let DATABASE_URL name the primary",
      ),
    sharesSessions &&
      fail(
        postgresName,
        "lends one connection to several sessions: a pooler between works by transaction",
        "let the pooler work by session (PgBouncer: pool_mode = session), or go without",
      ),
    unsafeSettings.length > 0 &&
      warn(
        postgresName,
        `has ${unsafeSettings.join(", ")}: what was acknowledged may be lost when the power fails`,
        "switch it on in postgresql.conf",
      ),
    facts.mostConnections < connectionsOfServer &&
      warn(
        postgresName,
        `takes ${facts.mostConnections} connections, and each server may use ${connectionsOfServer}`,
        "raise max_connections",
      ),
    facts.mostConnections >= connectionsOfServer &&
      free < sparse &&
      warn(
        postgresName,
        connectionsOf(facts),
        `each server may use ${connectionsOfServer}: raise max_connections, or end what holds them`,
      ),
    Math.abs(clockAheadMs) > mostSkewMs &&
      warn(
        postgresName,
        `its clock is ${Math.round(Math.abs(clockAheadMs) / 1000)} s ${clockAheadMs > 0 ? "ahead of" : "behind"} the one here`,
        "let both machines follow a time server (chrony, systemd-timesyncd)",
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
const testIt = "what is wrong is said by: atrium settings test r2";

/** Where the running server keeps files, whether it can reach them, and whether all are where they belong. */
export const checkStorage = (asked: AskedStatus): Check => {
  if (asked === null)
    return ok(storageName, "not known while no server runs; it is tried by: atrium settings test r2");
  if ("problem" in asked) return untold(storageName, asked.problem);
  const { storage } = asked.status;
  const { state, server, since, reason, migration } = storage;
  const counts = storageCounts(storage);
  if (state === "unused" || server === null) return ok(storageName, `in the database; ${counts}`);
  if (state === "away")
    return fail(
      storageName,
      `${server} is away since ${formatMinute(since)}: ${reason ?? "no reason given"}; ${counts}`,
      testIt,
    );
  if (state === "connecting")
    return warn(storageName, `${server} has not answered yet; ${counts}`, "run this again in a moment");
  const detail = `${server}, in use since ${formatMinute(since)}; ${counts}`;
  return migration !== null && migration.failed > 0
    ? warn(storageName, detail, testIt)
    : ok(storageName, detail);
};

const mailName = "mail";

/** Connects to the mail server and waits for its greeting, `deadlineMs` at most; nothing is sent but the goodbye. */
export const checkMail = async (smtpUrl: string | null, deadlineMs = 5_000): Promise<Check> => {
  if (smtpUrl === null)
    return ok(mailName, "no SMTP_URL: mails are written to the outbox folder and their links to the log");
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
    ? ok(mailName, `${target} greets (the user name and password were not tried)`)
    : fail(mailName, `${target}: ${problem}`, "check SMTP_URL, and that this machine may connect to it");
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
    socket.setTimeout(deadlineMs, () => finish("no greeting in time"));
    socket.on("error", (error) => finish(causes.get(codeOf(error)) ?? `cannot connect (${codeOf(error)})`));
    socket.on("end", () => finish("closed the connection without a greeting"));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.length < 4) return;
      finish(received.startsWith("220") ? null : "does not greet like a mail server");
    });
  });

const causes = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ENOTFOUND", "unknown host name"],
  ["EAI_AGAIN", "the host name could not be resolved"],
  ["ETIMEDOUT", "no answer"],
  ["EHOSTUNREACH", "no route to the host"],
  ["ENETUNREACH", "no route to the network"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "its certificate is self-signed"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate is not trusted"],
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another host"],
]);

const codeOf = (error: Error): string => String(Reflect.get(error, "code") ?? error.name);
