import { pluginLimits } from "#contract/plugins.ts";
import type { RuntimeFailure } from "../runtime.ts";

/** Notices when a plugin's process hangs or grows too large. */
export type Heartbeat = {
  /** Takes an answer; `false` when nothing was asked that it could be one to. */
  onPong(id: number): boolean;
  stop(): void;
};

export type HeartbeatOptions = {
  ping(id: number): void;
  /** What the process holds in memory; `null` where nobody knows. */
  residentBytes(): number | null;
  /** Called once. */
  onVerdict(kind: RuntimeFailure["kind"], reason: string): void;
};

/** Asks the process every 250 ms, and condemns it after a second without an answer or over its memory. */
export const startHeartbeat = ({ ping, residentBytes, onVerdict }: HeartbeatOptions): Heartbeat => {
  let lastPing = 0;
  let lastPong = 0;
  const timer = setInterval(() => {
    const resident = residentBytes() ?? 0;
    if (resident > pluginLimits.processBytes)
      return condemn("memory", `It used ${Math.round(resident / 1024 / 1024)} MB of memory`);
    // Counted, not timed: after a pause of this process the answer may be waiting to be read.
    const unansweredMs = (lastPing - lastPong) * pluginLimits.heartbeatMs;
    if (unansweredMs >= pluginLimits.heartbeatMissedMs)
      return condemn("hang", `It did not respond for ${pluginLimits.heartbeatMissedMs / 1000} s`);
    lastPing += 1;
    ping(lastPing);
  }, pluginLimits.heartbeatMs);

  const condemn = (kind: RuntimeFailure["kind"], reason: string): void => {
    clearInterval(timer);
    onVerdict(kind, reason);
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
