import path from "../../../../../dist/interpreter/quickjs.wasm" with { type: "file" };

/** Where the plugins' interpreter is: the build's in a clone, the one inside the executable in that. */
export const interpreterFile: string = path;
