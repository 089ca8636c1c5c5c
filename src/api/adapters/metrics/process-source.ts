import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { MetricSource } from "#api/core/metrics.ts";

const loopPercentiles = [50, 90, 99] as const;

/** This process: time, memory, open files, and how late its event loop is. */
export const createProcessSource = (): MetricSource & { stop(): void } => {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const startedAtS = (Date.now() - process.uptime() * 1000) / 1000;
  return {
    name: "process",
    metrics: [
      { name: "process_cpu_seconds_total", kind: "counter", help: "Processor time of the server's process" },
      { name: "process_resident_memory_bytes", kind: "gauge", help: "Memory of the server's process" },
      { name: "process_start_time_seconds", kind: "gauge", help: "When the process started, in Unix time" },
      { name: "process_open_fds", kind: "gauge", help: "Open files and connections; on Linux" },
      {
        name: "atrium_event_loop_lag_seconds",
        kind: "gauge",
        help: "Event loop delay since the last scrape, by percentile; 100 is the maximum",
        labels: ["percentile"],
      },
    ],
    read: () => {
      const { user, system } = process.cpuUsage();
      const lags = loopPercentiles.map((percentile) => ({
        name: "atrium_event_loop_lag_seconds",
        labels: { percentile: String(percentile) },
        value: secondsOf(delay.percentile(percentile)),
      }));
      const latest = {
        name: "atrium_event_loop_lag_seconds",
        labels: { percentile: "100" },
        value: secondsOf(delay.max),
      };
      delay.reset();
      const files = openFiles();
      return [
        { name: "process_cpu_seconds_total", value: (user + system) / 1_000_000 },
        { name: "process_resident_memory_bytes", value: process.memoryUsage.rss() },
        { name: "process_start_time_seconds", value: startedAtS },
        ...(files === null ? [] : [{ name: "process_open_fds", value: files }]),
        ...lags,
        latest,
      ];
    },
    stop: () => void delay.disable(),
  };
};

// Without a sample the histogram tells absurd numbers.
const secondsOf = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) && nanoseconds < 1e15 ? Math.max(0, nanoseconds) / 1e9 : 0;

const openFiles = (): number | null => {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    // There is no such folder outside Linux.
    return null;
  }
};
