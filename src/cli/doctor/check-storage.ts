import { formatMinute } from "#cli/format.ts";
import { storageCounts } from "#cli/service-text.ts";
import { type AskedStatus, untold } from "./ask-status.ts";
import { type Check, fail, ok, warn } from "./check.ts";

const name = "object storage";
const testIt = "what is wrong is said by: atrium settings test r2";

/** Where the running server keeps files, whether it can reach them, and whether all are where they belong. */
export const checkStorage = (asked: AskedStatus): Check => {
  if (asked === null)
    return ok(name, "not known while no server runs; it is tried by: atrium settings test r2");
  if ("problem" in asked) return untold(name, asked.problem);
  const { storage } = asked.status;
  const { state, server, since, reason, migration } = storage;
  const counts = storageCounts(storage);
  if (state === "unused" || server === null) return ok(name, `in the database; ${counts}`);
  if (state === "away")
    return fail(
      name,
      `${server} is away since ${formatMinute(since)}: ${reason ?? "no reason given"}; ${counts}`,
      testIt,
    );
  if (state === "connecting")
    return warn(name, `${server} has not answered yet; ${counts}`, "run this again in a moment");
  const detail = `${server}, in use since ${formatMinute(since)}; ${counts}`;
  return migration !== null && migration.failed > 0 ? warn(name, detail, testIt) : ok(name, detail);
};
