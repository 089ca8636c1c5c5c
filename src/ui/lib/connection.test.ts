import { afterEach, expect, spyOn, test } from "bun:test";
import { isServerAway, onReachableAgain, probe, reportReachable, reportUnreachable } from "./connection.ts";

const fetched = spyOn(globalThis, "fetch");
const health = (status: number) =>
  fetched.mockImplementation(
    Object.assign(async () => new Response(null, { status }), { preconnect: () => {} }),
  );

afterEach(() => {
  reportReachable();
  fetched.mockRestore();
});

test("a server that does not answer is away until its health is good again, and says so once", async () => {
  let heals = 0;
  const stop = onReachableAgain(() => {
    heals += 1;
  });
  reportUnreachable();
  expect(isServerAway()).toBe(true);
  health(503);
  await probe();
  expect(isServerAway()).toBe(true);
  health(200);
  await probe();
  await probe();
  expect(isServerAway()).toBe(false);
  expect(heals).toBe(1);
  stop();
});
