/** `bun run check`: everything that can be said about the code without running it, and the repository guards. */
import { runCheck } from "./check/run-check.ts";
import { ensureDependencies } from "./prepare/ensure-dependencies.ts";

ensureDependencies({ tools: true });
const { passed, failed } = await runCheck({ withGuards: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
