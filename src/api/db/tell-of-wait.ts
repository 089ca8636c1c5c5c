import type { Log } from "#api/core/log.ts";

/**
 * Tells the log that another process migrates or loads the database. The function is called about once a second while that
 * lasts: the first call writes a line, and then one in ten.
 */
export const tellOfWait = (log: Log): ((waitedMs: number) => void) => {
  let calls = 0;
  return (waitedMs) => {
    if (calls % linesApart === 0)
      log.warn("waiting for another process, which migrates or loads the database", { waitedMs });
    calls += 1;
  };
};

const linesApart = 10;
