import type { Config } from "#api/config.ts";
import { type Check, ok, warn } from "./check.ts";

/** Whether the token for metrics could be guessed; nothing while there is none. */
export const checkMetricsToken = ({ metricsToken }: Pick<Config, "metricsToken">): Check[] => {
  if (metricsToken === null) return [];
  const name = "metrics token";
  const isWeak = Buffer.byteLength(metricsToken) < leastBytes || new Set(metricsToken).size < leastDifferent;
  return [
    isWeak
      ? warn(name, "METRICS_TOKEN is easy to guess", "make another one with: openssl rand -hex 24")
      : ok(name, `${Buffer.byteLength(metricsToken)} bytes`),
  ];
};

const leastBytes = 24;
const leastDifferent = 8;
