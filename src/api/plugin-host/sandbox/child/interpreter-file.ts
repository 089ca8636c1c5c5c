import path from "../interpreter/quickjs.wasm" with { type: "file" };

/** Where the plugins' interpreter is: `scripts/build-interpreter.ts` made it, and the executable has its own copy. */
export const interpreterFile: string = path;
