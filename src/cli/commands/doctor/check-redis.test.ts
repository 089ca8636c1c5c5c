import { describe, expect, test } from "bun:test";
import type { RedisInspection } from "#cli/composition.ts";
import { inUse, plainStatus } from "#cli/testing/system-status.ts";
import type { ServiceState } from "#contract/settings.ts";
import { checkRedis } from "./check-services.ts";

const usable = {
  server: "cache:6379",
  isUsable: true as const,
  version: "7.0.15",
  latencyMs: 0.42,
  warnings: [],
  source: "environment" as const,
};

describe("without a server, the Redis server that a start would use", () => {
  const look = (report: RedisInspection | null) => checkRedis({ inspectRedis: async () => report }, null);

  test("may be absent: limits, cache and events do without", async () => {
    expect(await look(null)).toMatchObject({
      name: "Redis",
      state: "ok",
      detail: expect.stringMatching(/not configured.*REDIS_URL.*limits and cache.*events/),
    });
  });

  test("is fine when it answers, and says who set it up, how fast it is and which version", async () => {
    expect(await look(usable)).toMatchObject({
      state: "ok",
      detail: "cache:6379, from REDIS_URL, responds in 0.4 ms, version 7.0.15",
    });
    expect((await look({ ...usable, source: "settings" })).detail).toContain("from the settings");
  });

  test("that can be used, but not as it should be, is a warning that says why", async () => {
    expect(await look({ ...usable, warnings: ["Redis 6.2.0, which is no longer maintained"] })).toMatchObject(
      {
        state: "warn",
        detail: expect.stringContaining("no longer maintained"),
      },
    );
  });

  test("that cannot be used is a failure with the reason, and a remedy for where it was set up", async () => {
    const broken = { server: "cache:6379", isUsable: false as const, reason: "connection refused" };
    const named = await look({ ...broken, source: "environment" });
    expect(named).toMatchObject({ state: "fail", remedy: expect.stringContaining("REDIS_URL") });
    expect(named.detail).toContain("cache:6379, from REDIS_URL, can't be used: connection refused");
    const saved = await look({ ...broken, source: "settings" });
    expect(saved.remedy).toContain("settings test redis");
    expect(saved.remedy).not.toContain("REDIS_URL");
    expect(saved.state).toBe("fail");
  });

  test("is not known while the settings cannot be read, which is no failure of Redis", async () => {
    const inspectRedis = () => Promise.reject(new Error("password authentication failed"));
    expect(await checkRedis({ inspectRedis }, null)).toMatchObject({
      state: "warn",
      detail: expect.stringContaining("password authentication failed"),
    });
  });
});

describe("with a running server its answer counts, and no connection is made:", () => {
  const inspectRedis = () => Promise.reject(new Error("no connection is made"));
  const judge = (redis: ServiceState) => checkRedis({ inspectRedis }, { status: { ...plainStatus, redis } });

  test("none in use is fine", async () => {
    expect(await judge(plainStatus.redis)).toMatchObject({
      state: "ok",
      detail: expect.stringContaining("not in use"),
    });
  });

  test("one that is in use is fine, with since when", async () => {
    expect(await judge(inUse)).toMatchObject({
      state: "ok",
      detail:
        "cache.example:6379, from the settings, used for limits, cache and events since 2026-11-20 18:40Z",
    });
  });

  test("one that is away is a failure with the reason and a remedy for where it was set up", async () => {
    const away = { ...inUse, state: "away", reason: "wrong user name or password" } as const;
    const saved = await judge(away);
    expect(saved).toMatchObject({ state: "fail", remedy: expect.stringContaining("settings set") });
    expect(saved.detail).toContain("unavailable since 2026-11-20 18:40Z: wrong user name or password");
    const named = await judge({ ...away, source: "environment" });
    expect(named.remedy).toContain("REDIS_URL");
  });

  test("one that was not tried yet is a warning", async () => {
    expect((await judge({ ...inUse, state: "connecting" })).state).toBe("warn");
  });

  test("a server that does not say is a warning", async () => {
    expect(await checkRedis({ inspectRedis }, { problem: "no response in time" })).toMatchObject({
      state: "warn",
      detail: expect.stringContaining("no response in time"),
    });
  });
});
