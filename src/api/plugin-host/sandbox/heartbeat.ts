import { pluginLimits } from "#contract/plugins.ts";
import type { RuntimeFailure } from "../runtime.ts";
import type { ProcessWork } from "./process-memory.ts";
import { sandboxLimits } from "./sandbox-limits.ts";

/** Notices if a plugin's process hangs or grows too large. */
export type Heartbeat = {
  /** Takes an answer; `false` if no question was open that it could belong to. */
  onPong(id: number): boolean;
  stop(): void;
};

export type HeartbeatOptions = {
  ping(id: number): void;
  /** Memory of the process; `null` if unknown. */
  residentBytes(): number | null;
  /** CPU time of the process; `null` if unknown. */
  work(): ProcessWork | null;
  /** Called once; `isStarved`: the machine may have given it no CPU time. */
  onVerdict(kind: RuntimeFailure["kind"], reason: string, about: { isStarved: boolean }): void;
};

/**
 * Asks the process every 250 ms, and gives it up for its memory, or if it leaves questions open: for a second if it was
 * stopped, for two seconds of its own work, and for ten seconds if the machine gives it no time.
 */
export const startHeartbeat = ({ ping, residentBytes, work, onVerdict }: HeartbeatOptions): Heartbeat => {
  let lastPing = 0;
  let lastPong = 0;
  let workedFromMs: number | null = null;

  /** What its silence means; `null` while nothing can be said yet. */
  const judgeSilence = (): { silentMs: number; isStarved: boolean } | null => {
    // Counted, not timed: after a pause of this process, the answer may be waiting to be read.
    const silentMs = (lastPing - lastPong) * pluginLimits.heartbeatMs;
    const done = silentMs === 0 ? null : work();
    workedFromMs = silentMs === 0 ? null : (workedFromMs ?? done?.cpuMs ?? 0);
    if (silentMs < pluginLimits.heartbeatMissedMs) return null;
    const hasWorked = (done?.cpuMs ?? 0) - (workedFromMs ?? 0) >= sandboxLimits.silentWorkMs;
    const isStarved = !hasWorked && done?.isStopped !== true;
    return isStarved && silentMs < sandboxLimits.starvedMs ? null : { silentMs, isStarved };
  };

  const timer = setInterval(() => {
    const resident = residentBytes() ?? 0;
    const most = pluginLimits.processBytes;
    if (resident > most)
      return condemn("memory", `It used ${inMB(resident)} of ${inMB(most)} MB of memory`, {
        isStarved: false,
      });
    const silence = judgeSilence();
    if (silence !== null)
      return condemn("hang", `It did not respond for ${silence.silentMs / 1000} s`, silence);
    lastPing += 1;
    ping(lastPing);
  }, pluginLimits.heartbeatMs);

  const condemn: HeartbeatOptions["onVerdict"] = (...verdict) => {
    clearInterval(timer);
    onVerdict(...verdict);
  };

  return {
    onPong: (id) => {
      if (id <= lastPong || id > lastPing) return false;
      lastPong = id;
      return true;
    },
    stop: () => clearInterval(timer),
  };
};

const inMB = (bytes: number): number => Math.round(bytes / 1024 / 1024);
