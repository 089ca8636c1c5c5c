import variant from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from "quickjs-emscripten-core";

/** What the metered interpreter throws inside itself when a loop of its own goes on for too long. */
export class OutOfTimeError extends Error {}

/**
 * A fresh interpreter with a memory of its own: `memoryMB` is all it can ever have. `isOutOfTime` is asked again and
 * again inside its loops; once it says so, the interpreter throws {@link OutOfTimeError} and must not be used again.
 */
export const createInterpreter = (
  module: WebAssembly.Module,
  memoryMB: number,
  isOutOfTime: () => boolean,
): Promise<QuickJSWASMModule> => {
  const wasmMemory = new WebAssembly.Memory({
    initial: initialPages,
    maximum: Math.max(initialPages, memoryMB * pagesAMB),
  });
  const tick = (): number => {
    if (isOutOfTime()) throw new OutOfTimeError("a loop inside the interpreter did not end");
    return fuel;
  };
  return newQuickJSWASMModuleFromVariant(
    newVariant(variant, {
      wasmMemory,
      emscriptenModule: {
        instantiateWasm: (imports, onSuccess) => {
          const instance = new WebAssembly.Instance(module, { ...imports, a: { ...imports.a, tick } });
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
