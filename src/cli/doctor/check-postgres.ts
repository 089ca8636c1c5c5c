import type { PostgresFacts } from "#cli/composition.ts";
import { faultText } from "#cli/to-failure.ts";
import { type Check, fail, ok, warn } from "./check.ts";

const name = "PostgreSQL";

/** What of a PostgreSQL server does not suit Atrium; nothing for the embedded database. */
export const checkPostgres = async (inspect: () => Promise<PostgresFacts | null>): Promise<Check[]> => {
  try {
    const facts = await inspect();
    if (facts === null) return [];
    const findings = judge(facts);
    return findings.length > 0 ? findings : [ok(name, `${facts.version}, ${connectionsOf(facts)}`)];
  } catch (error) {
    return [
      warn(
        name,
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
      fail(name, `is ${version}`, "Atrium needs PostgreSQL 15 or newer: upgrade the server"),
    !hasTrgm &&
      fail(name, "has no extension pg_trgm", "install it: Debian has it in the package postgresql-contrib"),
    isReadOnly &&
      fail(name, "takes no writes: it is a standby or set to read only", "let DATABASE_URL name the primary"),
    sharesSessions &&
      fail(
        name,
        "lends one connection to several sessions: a pooler between works by transaction",
        "let the pooler work by session (PgBouncer: pool_mode = session), or go without",
      ),
    unsafeSettings.length > 0 &&
      warn(
        name,
        `has ${unsafeSettings.join(", ")}: what was acknowledged may be lost when the power fails`,
        "switch it on in postgresql.conf",
      ),
    facts.mostConnections < connectionsOfServer &&
      warn(
        name,
        `takes ${facts.mostConnections} connections, and each server may use ${connectionsOfServer}`,
        "raise max_connections",
      ),
    facts.mostConnections >= connectionsOfServer &&
      free < sparse &&
      warn(
        name,
        connectionsOf(facts),
        `each server may use ${connectionsOfServer}: raise max_connections, or end what holds them`,
      ),
    Math.abs(clockAheadMs) > mostSkewMs &&
      warn(
        name,
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
