import path from "../interpreter/quickjs.wasm" with { type: "file" };

/** The plugins' interpreter: built by `scripts/build-interpreter.ts`, and embedded in the executable. */
export const interpreterFile: string = path;
