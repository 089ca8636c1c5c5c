/** Decides when a database process has to be killed. */
export type Watchdog = {
  /** The process answered. */
  onPong(rssBytes: number): void;
  stop(): void;
};

export type WatchdogOptions = {
  ping(): void;
  /** Whether a statement is running that is known to take long. */
  isPatient(): boolean;
  /** Whether nobody waits for the process: then it may be deaf for as long as the largest index takes to build. */
  isOffline?: boolean;
  /** Called once. */
  onVerdict(reason: string): void;
};

/**
 * Pings a database process, and condemns it when it has been deaf for too long or grows without bounds. The engine
 * cannot interrupt a statement, so the limit is the longest that a statement may take.
 */
export const startWatchdog = ({
  ping,
  isPatient,
  isOffline = false,
  onVerdict,
}: WatchdogOptions): Watchdog => {
  // Counted, not timed: after a pause of this process the answer may be waiting to be read.
  let unanswered = 0;
  const timer = setInterval(() => {
    const servedLimitMs = isPatient() ? patientLimitMs : deafLimitMs;
    const limitMs = isOffline ? offlineLimitMs : servedLimitMs;
    if (unanswered * pingEveryMs >= limitMs) return condemn(`deaf for ${limitMs / 1000} s`);
    unanswered += 1;
    ping();
  }, pingEveryMs);

  const condemn = (reason: string): void => {
    clearInterval(timer);
    onVerdict(reason);
  };

  return {
    onPong: (rssBytes) => {
      unanswered = 0;
      if (rssBytes > memoryLimitBytes) condemn(`using ${Math.round(rssBytes / 1024 / 1024)} MB`);
    },
    stop: () => clearInterval(timer),
  };
};

const pingEveryMs = 500;
const deafLimitMs = 4000;
const patientLimitMs = 5 * 60 * 1000;
const offlineLimitMs = 6 * 60 * 60 * 1000;
const memoryLimitBytes = 1.5 * 1024 * 1024 * 1024;
