import type { Pattern } from "../engine-types.ts";
import { callPatterns } from "./command-calls.ts";
import { shellPatterns } from "./command-shell.ts";
import { windowsPatterns } from "./command-windows.ts";

/** Commands for a shell of the server. */
export const commandPatterns: readonly Pattern[] = [...callPatterns, ...shellPatterns, ...windowsPatterns];
