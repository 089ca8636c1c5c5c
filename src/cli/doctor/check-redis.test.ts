import { describe, expect, test } from "bun:test";
import { checkRedis } from "./check-redis.ts";

const usable = { server: "cache:6379", isUsable: true as const, version: "7.0.15", latencyMs: 0.42 };

describe("Redis", () => {
  test("may be absent: limits are then counted in the process", async () => {
    const check = await checkRedis({ inspectRedis: async () => null });
    expect(check).toMatchObject({
      name: "Redis",
      state: "ok",
      detail: expect.stringContaining("no REDIS_URL"),
    });
  });

  test("is fine when it answers, and says how fast and which version", async () => {
    const report = { ...usable, warnings: [] };
    const check = await checkRedis({ inspectRedis: async () => report });
    expect(check).toMatchObject({ state: "ok", detail: "cache:6379 answers in 0.4 ms, version 7.0.15" });
  });

  test("that can be used, but not as it should be, is a warning that says why", async () => {
    const report = { ...usable, warnings: ["Redis 6.2.0, which is no longer maintained"] };
    expect(await checkRedis({ inspectRedis: async () => report })).toMatchObject({
      state: "warn",
      detail: expect.stringContaining("no longer maintained"),
    });
  });

  test("that cannot be used is a failure with the reason and a remedy", async () => {
    const report = { server: "cache:6379", isUsable: false as const, reason: "connection refused" };
    expect(await checkRedis({ inspectRedis: async () => report })).toMatchObject({
      state: "fail",
      detail: expect.stringContaining("cache:6379: connection refused"),
      remedy: expect.stringContaining("REDIS_URL"),
    });
  });
});
