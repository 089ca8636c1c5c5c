import variant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";

/** What the metered interpreter throws inside itself if one of its own loops runs for too long. */
export class OutOfTimeError extends Error {}

/** Called within the interpreter: it must not run the plugin's code. */
type OnRejection = (rejection: Rejection) => void;

/** `promise` and `reason` are raw values in the interpreter's `memory`, valid during the call. */
type Rejection = { promise: bigint; reason: bigint; isHandled: boolean; memory: WebAssembly.Memory };

/**
 * A new interpreter with its own memory: `memoryMB` is its maximum. `isOutOfTime` is called repeatedly inside its
 * loops; once it returns `true`, the interpreter throws {@link OutOfTimeError} and must not be used again.
 * `onRejection` is called for each promise that is rejected without a handler, and again when it gets one.
 */
export const createInterpreter = (
  module: WebAssembly.Module,
  memoryMB: number,
  isOutOfTime: () => boolean,
  onRejection: OnRejection,
): Promise<QuickJSWASMModule> => {
  const wasmMemory = new WebAssembly.Memory({
    initial: initialPages,
    maximum: Math.max(initialPages, memoryMB * pagesAMB),
  });
  const tick = (): number => {
    if (isOutOfTime()) throw new OutOfTimeError("a loop inside the interpreter did not end");
    return fuel;
  };
  const rejection = (_: number, promise: bigint, reason: bigint, isHandled: number): void =>
    onRejection({ promise, reason, isHandled: isHandled !== 0, memory: wasmMemory });
  return newQuickJSWASMModuleFromVariant(
    newVariant(variant, {
      wasmMemory,
      emscriptenModule: {
        instantiateWasm: (imports, onSuccess) => {
          const instance = new WebAssembly.Instance(module, {
            ...imports,
            a: { ...imports.a, tick, rejection },
          });
          onSuccess(instance);
          return instance.exports;
        },
      },
    }),
  );
};

// As the package declares its memory; pages of 64 KB.
const initialPages = 256;
const pagesAMB = 16;

/** Iterations of loops between two checks: a fraction of a millisecond. */
const fuel = 50_000;

/** Promises of one interpreter that were rejected and not handled yet. */
type Rejections = {
  onRejection: OnRejection;
  readonly count: number;
  /** Returns the remaining reasons, and clears them: for when the interpreter has no more jobs. */
  take(): QuickJSHandle[];
};

/** `contextOf` is asked only when a promise is rejected. */
export const createRejections = (contextOf: () => QuickJSContext): Rejections => {
  const open = new Map<bigint, { promise: QuickJSHandle; reason: QuickJSHandle }>();
  let slot: QuickJSHandle | null = null;

  /** A handle of a raw value: written where a handle has its own, and copied from there. */
  const handleOf = (context: QuickJSContext, memory: WebAssembly.Memory, value: bigint): QuickJSHandle => {
    slot ??= context.newNumber(0);
    const at = slot.value;
    new DataView(memory.buffer).setBigUint64(at, BigInt.asUintN(64, value), true);
    const handle = slot.dup();
    // The memory may have grown meanwhile, and its buffer with it.
    new DataView(memory.buffer).setBigUint64(at, nothing, true);
    return handle;
  };

  const keep = ({ promise, reason, memory }: Rejection): void => {
    if (open.size >= mostOpen) return;
    const context = contextOf();
    // Kept alive, or another promise could get its address.
    open.set(promise, {
      promise: handleOf(context, memory, promise),
      reason: handleOf(context, memory, reason),
    });
  };

  return {
    onRejection: (rejection) => {
      if (!rejection.isHandled) {
        keep(rejection);
        return;
      }
      const handled = open.get(rejection.promise);
      open.delete(rejection.promise);
      handled?.promise.dispose();
      handled?.reason.dispose();
    },
    get count() {
      return open.size;
    },
    take: () => {
      const left = [...open.values()];
      open.clear();
      for (const { promise } of left) promise.dispose();
      return left.map(({ reason }) => reason);
    },
  };
};

// As many as a plugin may write lines in a minute.
const mostOpen = 100;
/** The number 0, as the interpreter keeps it. */
const nothing = 0n;

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
