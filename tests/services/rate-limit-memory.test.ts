import { expect, test } from "bun:test";

/** Runs a script of this folder as a process of its own; what it prints is JSON. */
const measured = async (load: string): Promise<{ grownBytes: number; keys: number; isHeld: boolean }> => {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/limiter-memory.ts`, load], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  return JSON.parse(text);
};

test("R8: a million addresses take less than 150 MB, and an offender stays refused", async () => {
  const { grownBytes, keys, isHeld } = await measured("addresses");
  expect(grownBytes).toBeLessThan(150_000_000);
  expect(keys).toBeLessThanOrEqual(150_000);
  expect(isHeld).toBe(true);
});

test("R8: addresses that send as many requests as they may take less than 150 MB too", async () => {
  const { grownBytes, isHeld } = await measured("requests");
  expect(grownBytes).toBeLessThan(150_000_000);
  expect(isHeld).toBe(true);
});
