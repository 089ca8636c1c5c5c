import type { ConnectionReport, RedisTarget } from "#api/core/settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import { outboundFaults } from "../outbound/check-address.ts";
import { type RedisCheckOptions, runRedisChecks } from "./run-redis-checks.ts";

/** The connection test of the settings: tries a Redis server within `limitMs` (5 s), reports each step, throws nothing. */
export const testRedisConnection = async (
  target: RedisTarget,
  options?: RedisCheckOptions,
): Promise<ConnectionReport> => {
  const { server, steps, failure, version, latencyMs } = await runRedisChecks(target, options);
  if (failure === outboundFaults.refused)
    return { isWorking: false, summary: settingsTexts.addressRefused, details: "", steps };
  if (failure !== null)
    return {
      isWorking: false,
      summary: `${server} cannot be used: ${failure}.`,
      details: steps.find(({ status }) => status === "failed")?.remedy ?? "",
      steps,
    };
  const facts = [version && `Redis ${version}`, latencyMs !== null && `${latencyMs.toFixed(1)} ms`]
    .filter(Boolean)
    .join(", ");
  const warnings = steps.filter(({ status }) => status === "warning");
  return {
    isWorking: true,
    summary: `${server} can be used.`,
    details: [...(facts === "" ? [] : [`${facts}.`]), ...warnings.map(({ message }) => message)].join(" "),
    steps,
  };
};
