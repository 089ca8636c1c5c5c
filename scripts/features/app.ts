/** `bun run atrium app check`: what own features import of Atrium beyond its stable surface, which a new version may change. */
import { runScript, ScriptFailure } from "../run-script.ts";
import { findReachIns } from "./reach-ins.ts";

const usage = "Usage: bun run atrium app check";

await runScript(usage, () => {
  if (process.argv.slice(2).join(" ") !== "check") throw new ScriptFailure(usage, 2);
  const reachIns = findReachIns();
  for (const { file, module } of reachIns) console.log(`${file}: ${module}`);
  console.log(`reaches in: ${reachIns.length}`);
  if (reachIns.length > 0)
    console.log(
      "A new version of Atrium may change these without notice; look at them first when you merge one.",
    );
});
