import type { ConnectionReport, RedisTarget } from "#api/core/settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import { outboundFaults } from "../outbound/outbound-error.ts";
import { type ProbeOptions, probeRedis } from "./probe-redis.ts";

/** Tries a Redis server for real, within `limitMs` (5 s); reports each step, and throws nothing. */
export const testRedis = async (target: RedisTarget, options?: ProbeOptions): Promise<ConnectionReport> => {
  const { server, steps, failure, version, latencyMs } = await probeRedis(target, options);
  if (failure === outboundFaults.refused)
    return { isWorking: false, summary: settingsTexts.addressRefused, details: "", steps };
  if (failure !== null)
    return {
      isWorking: false,
      summary: `${server} cannot be used: ${failure}`,
      details: remedyIn(steps),
      steps,
    };
  const facts = [version && `Redis ${version}`, latencyMs !== null && `${latencyMs.toFixed(1)} ms`];
  const warnings = steps.filter(({ status }) => status === "warning");
  return {
    isWorking: true,
    summary: `${server} can be used`,
    details: [facts.filter(Boolean).join(", "), ...warnings.map(({ message }) => message)]
      .filter((sentence) => sentence !== "")
      .map((sentence) => `${sentence}.`)
      .join(" "),
    steps,
  };
};

const remedyIn = (steps: ConnectionReport["steps"]): string => {
  const remedy = steps.find(({ status }) => status === "failed")?.remedy;
  return remedy === undefined ? "" : `${remedy}.`;
};
