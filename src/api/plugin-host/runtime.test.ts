import { expect, test } from "bun:test";
import { failureOf } from "#api/testing/failure-of.ts";
import { pluginSource, startSandboxed } from "#api/testing/sandboxed-plugin.ts";
import { faultText, withPlace } from "./runtime.ts";

test("what a plugin threw is told with its first place in the bundle, and nothing else of its stack", () => {
  const stack = "    at call (sandbox.js:3:9)\n    at job (notes.js:12:7)\n    at setup (notes.js:2:1)\n";
  expect(faultText("notes", new Error("no ink", { cause: stack }))).toBe("no ink (notes.js:12:7)");
  expect(withPlace("notes", "no ink", "at job (my-notes.js:1:1) \u001b[31m")).toBe("no ink");
  expect(faultText("notes", new Error("no ink"))).toBe("no ink");
  expect(faultText("notes", "no ink")).toBe("no ink");
});

test("the sandbox reports where something is thrown in a job and in the setup", async () => {
  const { runtime } = await startSandboxed(
    pluginSource('ctx.schedule.every("tidy", 60000, () => { throw new Error("no ink"); });'),
  );
  try {
    const [job] = runtime.registration.jobs;
    const error = await failureOf(runtime.invoke(job?.handler ?? "", null));
    expect(faultText("tried", error)).toMatch(/^no ink \(tried\.js:\d+:\d+\)$/);
  } finally {
    await runtime.stop("shutdown");
  }
  const refused = await failureOf(startSandboxed(pluginSource('throw new Error("no luck")')));
  expect(String(refused)).toMatch(/no luck \(tried\.js:\d+:\d+\)/);
});
