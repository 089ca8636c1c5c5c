import { join } from "node:path";

/** Where the build puts the plugins' interpreter, and under which name. */
export const interpreterOutput: string = join(import.meta.dir, "../../../../dist/interpreter");
export const interpreterName = "quickjs.wasm";
