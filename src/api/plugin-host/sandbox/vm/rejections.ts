import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import type { OnRejection, Rejection } from "./interpreter.ts";

/** Promises of one interpreter that were rejected, and that nobody has asked about yet. */
export type Rejections = {
  onRejection: OnRejection;
  readonly count: number;
  /** Hands out the reasons that are left, and forgets them: for when the interpreter has no more jobs. */
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
    // Held on to, or another promise could come to lie in its place.
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
