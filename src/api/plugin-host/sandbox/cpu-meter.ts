/** Measures what plugin code uses of the processor, and says when a piece of it has to end. */
export type CpuMeter = {
  /** Runs a piece of plugin code that may use `limitMs`. */
  run<T>(limitMs: number, work: () => T): T;
  /** Whether the running piece has used up its time: asked by the interpreter between steps of JavaScript. */
  isOver(): boolean;
  /** Whether it went on regardless: asked inside the interpreter's own loops. */
  isLongOver(): boolean;
  /** Whether the last piece was told to end. */
  readonly wasInterrupted: boolean;
  /** Milliseconds that the last piece took. */
  readonly lastMs: number;
};

/** A meter for one thread. */
export const createCpuMeter = (): CpuMeter => {
  let startedAt = 0;
  let cpuStartedAt: number | null = null;
  let limit = 0;
  let wasInterrupted = false;
  let lastMs = 0;

  // Processor time costs a system call, so it is first asked for when the interpreter asks: most pieces are too short
  // for that. On a busy machine a piece may take long without having run: nobody should be ended for that, within
  // reason.
  const hasUsed = (ms: number, patience: number): boolean => {
    cpuStartedAt ??= cpuMs();
    const elapsed = performance.now() - startedAt;
    if (elapsed < ms) return false;
    return elapsed > ms * patience || cpuMs() - cpuStartedAt >= ms;
  };

  return {
    run: (limitMs, work) => {
      startedAt = performance.now();
      cpuStartedAt = null;
      limit = limitMs;
      wasInterrupted = false;
      try {
        return work();
      } finally {
        lastMs = performance.now() - startedAt;
        limit = 0;
      }
    },
    isOver: () => {
      if (limit === 0 || !hasUsed(limit, patience.betweenSteps)) return false;
      wasInterrupted = true;
      return true;
    },
    isLongOver: () => limit !== 0 && hasUsed(limit + graceMs, patience.inOwnLoops),
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
/** Of a machine that stood still for a moment the interpreter should hear between steps: what is asked there spares the plugin. */
const patience = { betweenSteps: 2, inOwnLoops: 20 };
