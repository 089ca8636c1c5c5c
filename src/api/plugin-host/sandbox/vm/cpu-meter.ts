/** Measures the CPU time of plugin code, and decides when a piece of it has to end. */
export type CpuMeter = {
  /** Runs a piece of plugin code that may use `limitMs` of CPU time. */
  run<T>(limitMs: number, work: () => T): T;
  /** Subtracts host work from the running piece's time. */
  forgive(ms: number): void;
  /** Whether the running piece has used up its time: called by the interpreter between steps of JavaScript. */
  isOver(): boolean;
  /** Whether it continued anyway: called inside the interpreter's own loops. */
  isLongOver(): boolean;
  /** Whether the last piece was told to end. */
  readonly wasInterrupted: boolean;
  /** Milliseconds of CPU time that the last piece used. */
  readonly lastMs: number;
};

/** A meter for one thread. On a busy machine, a piece can take long without having run: that doesn't end it. */
export const createCpuMeter = (): CpuMeter => {
  let startedAt = 0;
  let cpuStartedAt = 0;
  let limit = 0;
  let wasInterrupted = false;
  let lastMs = 0;
  const usedMs = (): number => Math.max(0, cpuMs() - cpuStartedAt);

  // Reading CPU time is a system call: only made when that much can have been used.
  const hasUsed = (ms: number): boolean => performance.now() - startedAt >= ms && usedMs() >= ms;

  return {
    run: (limitMs, work) => {
      startedAt = performance.now();
      cpuStartedAt = cpuMs();
      limit = limitMs;
      wasInterrupted = false;
      try {
        return work();
      } finally {
        lastMs = usedMs();
        limit = 0;
      }
    },
    forgive: (ms) => {
      cpuStartedAt += ms;
    },
    isOver: () => {
      if (limit === 0 || !hasUsed(limit)) return false;
      wasInterrupted = true;
      return true;
    },
    isLongOver: () => limit !== 0 && hasUsed(limit + graceMs),
    get wasInterrupted() {
      return wasInterrupted;
    },
    get lastMs() {
      return lastMs;
    },
  };
};

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const graceMs = 100;
