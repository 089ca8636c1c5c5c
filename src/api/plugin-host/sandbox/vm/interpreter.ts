import variant from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from "quickjs-emscripten-core";

/** What the metered interpreter throws inside itself when a loop of its own goes on for too long. */
export class OutOfTimeError extends Error {}

/** Called within the interpreter: no code of the plugin may run in it. */
export type OnRejection = (rejection: Rejection) => void;

/** `promise` and `reason` are values as the interpreter keeps them in its `memory`, for as long as the call lasts. */
export type Rejection = { promise: bigint; reason: bigint; isHandled: boolean; memory: WebAssembly.Memory };

/**
 * A fresh interpreter with a memory of its own: `memoryMB` is all it can ever have. `isOutOfTime` is asked again and
 * again inside its loops; once it says so, the interpreter throws {@link OutOfTimeError} and must not be used again.
 * `onRejection` is told of each promise that is rejected without a handler, and again when it gets one.
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

/** Rounds of loops between two questions: a fraction of a millisecond. */
const fuel = 50_000;
