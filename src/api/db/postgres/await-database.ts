import { setTimeout as sleep } from "node:timers/promises";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "../database-handle.ts";
import { databaseError, sqlStateOf } from "../errors.ts";

/** How long to wait for a server that is away, and how often to ask; half a minute and once a second unless given. */
export type AwaitDatabaseOptions = {
  log: Log;
  patienceMs?: number;
  pauseMs?: number;
  /** Called once, when the first try finds the server away. */
  onAway?: () => void;
};

/**
 * Waits for a database server that is not there yet: after a power cut both come up at the same time. Resolves as well
 * when patience ends or when the server refuses us, because what is asked of it next says in words what is wrong.
 */
export const awaitDatabase = async (
  { check }: Pick<DatabaseHandle, "check">,
  { log, patienceMs = 30_000, pauseMs = 1_000, onAway }: AwaitDatabaseOptions,
): Promise<void> => {
  const startedAt = performance.now();
  const waitedMs = () => Math.round(performance.now() - startedAt);
  for (let tries = 0; ; tries += 1) {
    const failure = await check().then(() => null, causeOf);
    if (failure === null) {
      if (tries > 0) log.info("the database is available", { waitedMs: waitedMs() });
      return;
    }
    if (isRefusal(failure) || waitedMs() + pauseMs > patienceMs) return;
    if (tries === 0) onAway?.();
    // One line in five attempts, so that the log is not flooded.
    if (tries % linesApart === 0)
      log.warn("waiting for the database", {
        waitedMs: waitedMs(),
        patienceMs,
        error: describeError(failure),
      });
    await sleep(pauseMs);
  }
};

const linesApart = 5;

const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause) || error;

/** Whether the server has answered, and waiting would change nothing: a wrong password, a database that does not exist. */
const isRefusal = (failure: unknown): boolean =>
  sqlStateOf(failure) !== null && databaseError(failure)?.kind !== "DB_UNAVAILABLE";

/**
 * Tells the log that another process migrates or loads the database. The function is called about once a second while that
 * lasts: the first call writes a line, and then one in ten.
 */
export const tellOfWait = (log: Log): ((waitedMs: number) => void) => {
  let calls = 0;
  return (waitedMs) => {
    if (calls % waitLinesApart === 0)
      log.warn("waiting for another process that is migrating or loading the database", { waitedMs });
    calls += 1;
  };
};

const waitLinesApart = 10;
