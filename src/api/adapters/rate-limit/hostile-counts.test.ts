import { describe, expect, test } from "bun:test";
import { createAttemptGuard } from "#api/adapters/attempt-guard/attempt-guard.ts";
import { systemClock } from "#api/core/clock.ts";
import { budgetOf, failIn, inParallel, kindOf } from "#api/testing/attempt-guard-contract.ts";
import { startFakeRedis } from "#api/testing/fake-redis.ts";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";
import { createRedisLink } from "../redis/redis-link.ts";
import { createRateLimiter } from "./create-rate-limiter.ts";

const endings = endAfterEachTest();

const secret = new TextEncoder().encode("a secret");
const rule = { max: 5, windowMs: 60_000 };

/** A limiter and a guard on a server whose scripts say the same whatever they are asked. */
const countingAt = async (said: string) => {
  const server = await startFakeRedis((name) => (name === "EVALSHA" ? said : "+OK\r\n"));
  const link = createRedisLink({ clock: systemClock, log: createRecordingLog() });
  const limiter = createRateLimiter({ clock: systemClock, link, secret });
  const guard = createAttemptGuard({ clock: systemClock, link, secret });
  endings.push(server.close, link.close, guard.close);
  link.use({ url: server.url, password: null, source: "settings" });
  await until(() => link.isUp);
  return { link, limiter, guard };
};

const list = (...items: string[]): string =>
  `*${items.length}\r\n${items.map((item) => `${item}\r\n`).join("")}`;

describe("R6: a Redis that answers the limiter", () => {
  test.each([
    ["what is no number", list(":1", "+many", ":1000")],
    ["not a number", list(":1", ",nan", ":1000")],
    ["no time", list(":1", ":4", ",nan")],
    ["an endless time", list(":0", ":0", ",inf")],
    ["a time of centuries", list(":0", ":0", ":1000000000000000000")],
    ["a time just outside the window", list(":0", ":0", ":60001")],
    ["a time that is over", list(":0", ":0", ":0")],
    ["a time before", list(":1", ":4", ":-5")],
    ["a part of a request", list(":1", ",2.5", ":1000")],
    ["fewer than none", list(":1", ":-1", ":1000")],
    ["more than there are", list(":1", ":5", ":1000")],
    ["more to come, and no", list(":0", ":3", ":1000")],
    ["neither yes nor no", list(":2", ":3", ":1000")],
    ["too little", list(":1", ":4")],
    ["too much", list(":1", ":4", ":1000", ":1")],
    ["lists", list("*1\r\n:1", "*1\r\n:4", "*1\r\n:1000")],
    ["nothing", "_\r\n"],
    ["OK", "+OK\r\n"],
  ])("%s is not believed: memory decides, and the connection has failed", async (_, said) => {
    const { link, limiter } = await countingAt(said);
    expect(await limiter.take("somebody", rule)).toEqual({ isAllowed: true, remaining: 4, resetMs: 60_000 });
    expect(link.isUp).toBe(false);
  });

  test("what can be true is taken", async () => {
    const { link, limiter } = await countingAt(list(":1", ":2", ":60000"));
    expect(await limiter.take("somebody", rule)).toEqual({ isAllowed: true, remaining: 2, resetMs: 60_000 });
    expect(link.isUp).toBe(true);
  });
});

describe("R6: a Redis that answers about a sign-in", () => {
  test.each([
    ["that it is to wait for centuries", list("+full", ":1", ":1000000000000000000")],
    ["that it is to wait for no time", list("+full", ":1", ",nan")],
    ["that it has waited", list("+full", ":1", ":-1")],
    ["about a limit that was not asked for", list("+full", ":7", ":1000")],
    ["nothing", "_\r\n"],
  ])("%s is not believed: memory decides", async (_, said) => {
    const { link, guard } = await countingAt(said);
    expect(await kindOf(guard.spend([budgetOf("somebody", 1)]))).toBe("done");
    expect(link.isUp).toBe(false);
    expect(await kindOf(guard.spend([budgetOf("somebody", 1)]))).toBe("RATE_LIMITED");
  });

  test("W2: that there is always capacity gets no more tries out of a process than it counted itself", async () => {
    const { link, guard } = await countingAt(list("+entered"));
    const outcomes = await inParallel(100, () => failIn(guard, budgetOf("somebody", 10)));
    expect(outcomes.filter((outcome) => outcome === "failed")).toHaveLength(10);
    expect(await kindOf(guard.spend([budgetOf("somebody", 10)]))).toBe("RATE_LIMITED");
    expect(link.isUp).toBe(true);
  });
});
