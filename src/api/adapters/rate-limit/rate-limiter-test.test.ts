import { describe, expect, test } from "bun:test";
import { createTestClock } from "#api/testing/clock.ts";
import { noRedis } from "#api/testing/rate-limiter-contract.ts";
import { coreSettings } from "#contract/core-settings.ts";
import type { ServiceState } from "#contract/settings.ts";
import { createRateLimiter } from "./create-rate-limiter.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { rateLimiterTest } from "./rate-limiter-test.ts";

const settings = coreSettings.defaults.rateLimiting;
const unused = noRedis.state();
const newLimiter = (): RateLimiter =>
  createRateLimiter({ clock: createTestClock(), link: noRedis, secret: new Uint8Array(32) });

const testOf = async (limiter: RateLimiter, changes: Partial<typeof settings> = {}, redis = unused) => {
  const report = await rateLimiterTest(limiter, { settings: { ...settings, ...changes }, redis });
  for (const { message, remedy = "." } of report.steps) {
    expect(message).toEndWith(".");
    expect(remedy).toEndWith(".");
  }
  const step = (name: string) => report.steps.find((found) => found.name === name);
  return { report, step };
};

describe("the test of the limiter", () => {
  test("sends a burst under the rule that is set, and shows what each step found", async () => {
    const { report } = await testOf(newLimiter());
    expect(report).toMatchObject({
      isWorking: true,
      summary: "100 of 105 requests passed and 5 were refused, as the rule says.",
    });
    expect(report.steps.map(({ name, status, message }) => `${status} ${name}: ${message}`)).toEqual([
      "passed Rule: 100 requests per client in 15 minutes.",
      "passed Counter: Counted in the memory of this server process.",
      "passed Allowed requests: 100 of 100 passed.",
      "passed Refused requests: The 5 requests over the limit were refused.",
      'passed Headers: A refused request gets RateLimit-Policy: "core";q=100;w=900, RateLimit: "core";r=0;t=900, Retry-After: 900.',
      expect.stringMatching(/^passed Time per request: \S.* ms for each of 105 simultaneous requests\.$/),
      "passed Clean-up: The test's counter was removed.",
    ]);
  });

  test("tries a large rule with fewer requests, and says so", async () => {
    const { report, step } = await testOf(newLimiter(), { maxRequests: 10_000, windowMs: 60_000 });
    expect(report.summary).toBe("200 of 205 requests passed and 5 were refused, as the rule says.");
    expect(step("Rule")?.message).toBe(
      "10000 requests per client in 1 minute; tested with 200, which is counted in the same way.",
    );
    expect(step("Headers")?.message).toBe(
      'A refused request gets RateLimit-Policy: "core";q=10000;w=60, RateLimit: "core";r=0;t=60, Retry-After: 60.',
    );
  });

  test("counts no one's requests, and may be run again and again", async () => {
    const limiter = newLimiter();
    for (let round = 0; round < 3; round += 1) expect((await testOf(limiter)).report.isWorking).toBe(true);
    expect(await limiter.take("core 203.0.113.9", { max: 100, windowMs: 60_000 })).toMatchObject({
      remaining: 99,
    });
  });

  test("warns when the limit is switched off", async () => {
    const { report, step } = await testOf(newLimiter(), { enabled: false });
    expect(report.isWorking).toBe(true);
    expect(step("Rule")).toMatchObject({ status: "warning", remedy: "Turn rate limiting on and save." });
  });

  test("warns when Redis is set up and memory counts", async () => {
    const away: ServiceState = {
      state: "away",
      server: "redis.example:6379",
      source: "settings",
      since: "2026-01-01T00:00:00.000Z",
      reason: "connection refused",
    };
    const { report, step } = await testOf(newLimiter(), {}, away);
    expect(report.isWorking).toBe(true);
    expect(step("Counter")).toMatchObject({
      status: "warning",
      message:
        "Redis at redis.example:6379 is unavailable (connection refused): each server process counts in its own memory.",
      remedy: expect.stringContaining("Test the Redis connection"),
    });
  });

  test("fails for a limiter that lets everything pass, with what was seen and what to do", async () => {
    const limiter = newLimiter();
    const open = { isAllowed: true, remaining: 99, resetMs: 1_000 };
    const { report, step } = await testOf({ ...limiter, store: "memory", take: () => open });
    expect(report).toMatchObject({ isWorking: false, summary: "The limiter did not follow the rule." });
    expect(step("Allowed requests")).toMatchObject({
      status: "failed",
      message: "105 passed; the rule allows 100.",
      remedy: expect.stringContaining("Run the test again."),
    });
    expect(step("Refused requests")).toMatchObject({
      status: "failed",
      message: "0 were refused; 5 were over the limit.",
    });
    expect(step("Headers")?.message).toStartWith("An allowed request gets RateLimit-Policy: ");
  });

  test.each([
    { remaining: -1 },
    { remaining: 100 },
    { remaining: 1.5 },
    { resetMs: 0 },
    { resetMs: 901_000 },
  ])("fails for header values that do not fit: %j", async (wrong) => {
    const limiter = newLimiter();
    const take: RateLimiter["take"] = async (key, rule) => ({ ...(await limiter.take(key, rule)), ...wrong });
    const { report, step } = await testOf({ ...limiter, store: "memory", take });
    expect(report.isWorking).toBe(false);
    expect(step("Headers")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("These do not match the rule: "),
    });
  });

  test("warns when Redis comes or goes meanwhile, or cannot be told to clean up", async () => {
    const limiter = newLimiter();
    const stores = ["redis", "memory"] as const;
    let asked = 0;
    const { report, step } = await testOf({
      take: limiter.take,
      forget: async () => false,
      get store() {
        asked += 1;
        return stores[asked - 1] ?? "memory";
      },
    });
    expect(report.isWorking).toBe(true);
    expect(step("Counter")).toMatchObject({ status: "warning" });
    expect(step("Clean-up")).toMatchObject({ status: "warning" });
  });
});
