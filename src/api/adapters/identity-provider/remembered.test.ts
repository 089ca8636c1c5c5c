import { expect, test } from "bun:test";
import { createTestClock } from "#api/testing/clock.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createRemembered } from "./oauth-client.ts";

const remember = () => {
  const clock = createTestClock();
  const calls: PromiseWithResolvers<number>[] = [];
  const load = () => {
    const call = Promise.withResolvers<number>();
    calls.push(call);
    return call.promise;
  };
  return { clock, calls, remembered: createRemembered({ load, clock, freshMs: 1_000, failedMs: 100 }) };
};

test("a value is fetched once, for all who ask meanwhile, and again when it is no longer fresh", async () => {
  const { clock, calls, remembered } = remember();
  const asked = [remembered.get(), remembered.get(), remembered.renew()];
  calls[0]?.resolve(7);
  expect(await Promise.all(asked)).toEqual([7, 7, 7]);
  clock.advance(999);
  expect(await remembered.get()).toBe(7);
  expect(calls).toHaveLength(1);
  clock.advance(1);
  const next = remembered.get();
  calls[1]?.resolve(8);
  expect(await next).toBe(8);
});

test("a failure is repeated for a short while, then tried again", async () => {
  const { clock, calls, remembered } = remember();
  const first = failureOf(remembered.get());
  calls[0]?.reject(new Error("away"));
  expect(String(await first)).toContain("away");
  clock.advance(99);
  expect(String(await failureOf(remembered.get()))).toContain("away");
  expect(calls).toHaveLength(1);
  clock.advance(1);
  const next = remembered.get();
  calls[1]?.resolve(9);
  expect(await next).toBe(9);
});

test("a value is fetched again on demand, and kept from then on", async () => {
  const { calls, remembered } = remember();
  const first = remembered.get();
  calls[0]?.resolve(1);
  await first;
  const renewed = remembered.renew();
  calls[1]?.resolve(2);
  expect([await renewed, await remembered.get()]).toEqual([2, 2]);
  expect(calls).toHaveLength(2);
});

test("a value stays when fetching it again fails", async () => {
  const { calls, remembered } = remember();
  const first = remembered.get();
  calls[0]?.resolve(1);
  await first;
  const renewed = failureOf(remembered.renew());
  calls[1]?.reject(new Error("away"));
  expect(String(await renewed)).toContain("away");
  expect(await remembered.get()).toBe(1);
});

test("a value that strangers can ask for is fetched again after ten seconds", async () => {
  const { calls, clock, remembered } = remember();
  for (const [index, pauseMs] of [0, 10_000].entries()) {
    clock.advance(pauseMs);
    const renewed = remembered.renewSeldom();
    calls[index]?.resolve(index);
    expect([await renewed, await remembered.renewSeldom()]).toEqual([index, index]);
    expect(calls).toHaveLength(index + 1);
  }
});
