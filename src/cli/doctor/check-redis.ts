import type { SystemStatus } from "#api/modules/system/contract.ts";
import type { Composition, RedisInspection } from "#cli/composition.ts";
import { formatMinute } from "#cli/format.ts";
import { sourceText } from "#cli/service-text.ts";
import { faultText } from "#cli/to-failure.ts";
import { type AskedStatus, untold } from "./ask-status.ts";
import { type Check, fail, ok, warn } from "./check.ts";

const name = "Redis";
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
    return "problem" in asked ? untold(name, asked.problem) : judgeState(asked.status.redis);
  try {
    return judgeReport(await inspectRedis());
  } catch (error) {
    return warn(
      name,
      `not known, as the settings cannot be read: ${faultText(error)}`,
      "see the database above; a Redis server saved in the settings goes before REDIS_URL",
    );
  }
};

const judgeState = ({ state, server, source, since, reason }: SystemStatus["redis"]): Check => {
  if (state === "unused" || server === null || source === null) return ok(name, `none is in use: ${without}`);
  const place = `${server}, from ${sourceText(source)}`;
  if (state === "up")
    return ok(name, `${place}, in use for limits, cache and events since ${formatMinute(since)}`);
  if (state === "connecting")
    return warn(
      name,
      `${place}, is being connected to since ${formatMinute(since)}`,
      "run this again in a moment",
    );
  const detail = `${place}, is away since ${formatMinute(since)}: ${reason ?? "no reason given"}; ${without}`;
  return fail(name, detail, remedyFor(source));
};

const judgeReport = (report: RedisInspection | null): Check => {
  if (report === null) return ok(name, `none is saved in the settings, and no REDIS_URL is set: ${without}`);
  const place = `${report.server}, from ${sourceText(report.source)}`;
  if (!report.isUsable)
    return fail(name, `${place}, cannot be used: ${report.reason}; ${without}`, remedyFor(report.source));
  const { version, latencyMs, warnings } = report;
  const speed = latencyMs === null ? "" : ` in ${latencyMs.toFixed(1)} ms`;
  const detail = `${place}, answers${speed}, version ${version ?? "unknown"}`;
  if (warnings.length === 0) return ok(name, detail);
  return warn(name, `${detail}; ${warnings.join("; ")}`, "what to do is said by: atrium settings test redis");
};

const remedyFor = (source: RedisInspection["source"]): string =>
  source === "settings"
    ? "`atrium settings test redis` says what is wrong; endpoint and password are changed with: atrium settings set"
    : "check REDIS_URL, and that this machine may connect to it; `atrium settings test redis` says what is wrong";
