import { createPlugin } from "./create-plugin.ts";
import { createEngine } from "./engine/engine.ts";
import { allPatterns } from "./engine/patterns/all-patterns.ts";

const pauseMs = 2;

export default createPlugin({
  makeEngine: createEngine,
  patterns: allPatterns,
  now: Date.now,
  pause: () => new Promise((resolve) => setTimeout(resolve, pauseMs)),
  every: (ms, work) => {
    const timer = setInterval(work, ms);
    return () => clearInterval(timer);
  },
});
