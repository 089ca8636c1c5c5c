import { describe, expect, test } from "bun:test";
import { createCache } from "#api/adapters/cache/create-cache.ts";
import { createPostgresEventBus } from "#api/adapters/event-bus/postgres-event-bus.ts";
import { createRedisLink } from "#api/adapters/redis/redis-link.ts";
import { systemClock } from "#api/core/clock.ts";
import type { AppEvent } from "#api/core/events.ts";
import { openPostgres } from "#api/db/postgres/open-postgres.ts";
import { createSessionSource } from "#api/http/credentials.ts";
import { endSessionsOf } from "#api/modules/sessions/index.ts";
import { startTestDatabaseServer } from "#api/testing/database-server.ts";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { createTestHost, type TestClient } from "#api/testing/host.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";
import { type RedisServer, startRedis } from "./redis.ts";

const endings = endAfterEachTest();

const newServer = async () => {
  const server = await startRedis();
  endings.push(server.stop);
  return server;
};

const linkTo = async (server: RedisServer) => {
  const link = createRedisLink({ clock: systemClock, log: createRecordingLog() });
  endings.push(link.close);
  return { link, connect: () => link.use({ url: server.url(), password: null, source: "environment" }) };
};

const cacheOn = async (server: RedisServer) => {
  const { link, connect } = await linkTo(server);
  connect();
  await until(() => link.isUp);
  return { link, cache: createCache({ clock: systemClock, link }) };
};

const asNumber = (value: unknown) => (typeof value === "number" ? value : null);

describe("what replicas remember together", () => {
  test("is kept by one, found by the other, and forgotten by both", async () => {
    const server = await newServer();
    const [one, other] = [await cacheOn(server), await cacheOn(server)];
    await one.cache.set("a", 7, 60_000);
    expect(await other.cache.get("a", asNumber)).toBe(7);
    expect(Number(await server.tell("pttl", "atrium:cache:a"))).toBeGreaterThan(50_000);
    await other.cache.delete(["a"]);
    expect(await one.cache.get("a", asNumber)).toBeNull();
  });

  test("is available to each alone while Redis is away", async () => {
    const server = await newServer();
    const { link, cache } = await cacheOn(server);
    await cache.set("a", 7, 60_000);
    await server.kill();
    expect(await cache.get("a", asNumber)).toBe(7);
    await cache.set("a", 8, 60_000);
    expect(await cache.get("a", asNumber)).toBe(8);
    expect(link.isUp).toBe(false);
  });

  test("is never trusted, whatever its content", async () => {
    const server = await newServer();
    const { link, cache } = await cacheOn(server);
    for (const strange of ["", "no json", '"text"', "{", "9".repeat(400_000), "null", "[1]"]) {
      await server.tell("set", "atrium:cache:a", strange);
      expect(await cache.get("a", asNumber)).toBeNull();
    }
    await server.tell("del", "atrium:cache:a");
    await server.tell("rpush", "atrium:cache:a", "1");
    expect(await cache.get("a", asNumber)).toBeNull();
    await cache.set("a", 1, 60_000);
    expect(await cache.get("a", asNumber)).toBe(1);
    await server.tell("config", "set", "maxmemory", "1");
    await cache.set("b", 1, 60_000);
    expect(link.isUp).toBe(true);
  });
});

describe("two replicas on one PostgreSQL and one Redis", () => {
  const startReplicas = async () => {
    const [server, database] = [await newServer(), await startTestDatabaseServer()];
    endings.push(database.close);
    const start = async () => {
      const handle = openPostgres(database.url);
      const { link, connect } = await linkTo(server);
      const bus = await createPostgresEventBus({ handle, log: createRecordingLog(), link });
      connect();
      await until(() => link.isUp);
      endings.push(handle.close, bus.close);
      const heard: AppEvent[] = [];
      const hear = (event: AppEvent) => heard.push(event);
      bus.subscribe({ "sessions-ended": hear, "user-changed": hear });
      return { bus, heard, link };
    };
    return { server, database, one: await start(), other: await start() };
  };

  test("hear each other once, on both ways or on either", async () => {
    const { server, database, one, other } = await startReplicas();
    const tell = async (userId: string) => {
      one.bus.publish({ type: "user-changed", userId });
      await until(() => other.heard.some((event) => "userId" in event && event.userId === userId));
    };
    await tell("both ways");
    database.cut();
    await until(() => !other.bus.isConnected);
    await tell("over Redis");
    await database.mend();
    await until(() => other.bus.isConnected);
    await server.kill();
    await tell("over PostgreSQL");
    await server.restart();
    await until(() => one.link.isUp && other.link.isUp);
    await tell("both again");
    expect(other.heard).toHaveLength(4);
    expect(one.heard).toHaveLength(4);
  });

  test("A2: a session that one ends is refused by the other, also while Redis is away", async () => {
    const { server, one, other } = await startReplicas();
    const host = await createTestHost();
    endings.push(host.close);
    const sources = [one, other].map(({ bus }) => createSessionSource({ ...host.services, events: bus }));
    const tokenOf = ({ cookie }: TestClient) => cookie?.split("=")[1] ?? "";
    const known = async (person: TestClient) => {
      const found = await Promise.all(sources.map((source) => source.find(tokenOf(person))));
      return found.map((session) => session !== null);
    };
    const endAll = async (person: TestClient) => {
      const userId = person.user?.id ?? "";
      await endSessionsOf(host.db, userId);
      one.bus.publish({ type: "sessions-ended", userId });
    };
    const faults = [async () => {}, server.kill, server.restart, async () => server.freeze()];
    for (const fault of faults) {
      const person = await host.signedIn("user");
      expect(await known(person)).toEqual([true, true]);
      await fault();
      await endAll(person);
      await until(async () => (await known(person)).every((isKnown) => !isKnown), 1_000);
    }
    server.thaw();
    for (const source of sources) source.stop();
  });
});
