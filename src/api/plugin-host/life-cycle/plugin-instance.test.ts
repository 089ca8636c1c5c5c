import { expect, test } from "bun:test";
import { createFakeRuntimes } from "#api/testing/fake-runtime.ts";
import { createInvocationCounter, drainingRuntime } from "./plugin-instance.ts";

const program = {
  ...{ name: "notes", version: "1.0.0", source: "", permissions: [], settings: {}, replica: "test" },
  limits: { memoryMB: 16, cpuMs: 1, wallMs: 1 },
};
const host = { call: async () => undefined, log: () => {}, failed: () => {} };

test("calls of a plugin's code are counted, those that fail apart, over restarts, and change nothing of the answer", async () => {
  const counter = createInvocationCounter();
  const runtimes = createFakeRuntimes();
  runtimes.behave({
    invoke: async (handler) => {
      if (handler === "bad") throw new Error("it broke");
      return "answer";
    },
  });
  for (let start = 0; start < 2; start += 1) {
    const runtime = drainingRuntime(await runtimes.start(program, host), () => counter.watch("notes"));
    expect(await runtime.invoke("good", null)).toBe("answer");
    expect(runtime.invoke("bad", null)).rejects.toThrow("it broke");
    await runtime.drained(1_000);
  }
  expect(counter.of("notes")).toMatchObject({ calls: 4, failures: 2 });
  expect(counter.of("another")).toMatchObject({ starts: 0, calls: 0 });
});
