import { afterAll, afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import {
  isServerAway,
  onReachableAgain,
  probe,
  reportAnswer,
  reportNoAnswer,
  reportReachable,
  reportUnreachable,
} from "./connection.ts";

const fetched = spyOn(globalThis, "fetch");
const health = (status: number) => {
  fetched.mockClear();
  fetched.mockImplementation(
    Object.assign(async () => new Response(null, { status }), { preconnect: () => {} }),
  );
};

// Each test begins long after the last one's hiccup.
let nowMs = 0;
const clock = spyOn(performance, "now").mockImplementation(() => nowMs);

let retries = 0;
let stop = () => {};
beforeEach(() => {
  nowMs += 3_600_000;
  retries = 0;
  stop = onReachableAgain(() => {
    retries += 1;
  });
});
afterEach(() => {
  stop();
  reportReachable();
  fetched.mockReset();
});
afterAll(() => {
  clock.mockRestore();
  fetched.mockRestore();
});
// Health is asked for without anybody waiting for it.
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test("a server that does not answer is away until its health is good again, and says so once", async () => {
  reportUnreachable();
  expect(isServerAway()).toBe(true);
  health(503);
  await probe();
  expect(isServerAway()).toBe(true);
  health(200);
  await probe();
  await probe();
  expect(isServerAway()).toBe(false);
  expect(retries).toBe(1);
});

describe("a call without an answer", () => {
  test("makes the server count as away when its health is bad, too", async () => {
    health(503);
    reportNoAnswer();
    await settled();
    expect(isServerAway()).toBe(true);
    expect(retries).toBe(0);
  });

  test("is retried one time while the server is well, not repeatedly", async () => {
    health(200);
    for (let failure = 0; failure < 5; failure += 1) {
      reportNoAnswer();
      reportAnswer();
      await settled();
      nowMs += 2_000;
    }
    expect(isServerAway()).toBe(false);
    expect(retries).toBe(1);
    nowMs += 30_000;
    reportNoAnswer();
    await settled();
    expect(retries).toBe(2);
  });

  test("has health asked for once, however many fail together", async () => {
    health(200);
    for (let call = 0; call < 8; call += 1) reportNoAnswer();
    await settled();
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});

test("an answer while the server is away does not count until health is good", async () => {
  health(503);
  reportUnreachable();
  reportAnswer();
  await settled();
  expect(isServerAway()).toBe(true);
  health(200);
  reportAnswer();
  await settled();
  expect(isServerAway()).toBe(false);
  expect(retries).toBe(1);
});
