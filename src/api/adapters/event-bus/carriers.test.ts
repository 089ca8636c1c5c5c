import { describe, expect, test } from "bun:test";
import type { AppEvent } from "#api/core/events.ts";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";
import { plannedEvents } from "#contract/plan.ts";
import type { ChannelListener, RedisLink } from "../redis/redis-link.ts";
import { createPostgresEventBus } from "./postgres-event-bus.ts";

const endings = endAfterEachTest();

/** What the database does with notifications: carries them, lets none through as some poolers do, or refuses them. */
const createDatabase = () => {
  const listeners = new Set<(text: string) => void>();
  const sent: string[] = [];
  let mode: "carries" | "swallows" | "refuses" = "carries";
  return {
    sent,
    set: (next: typeof mode) => {
      mode = next;
    },
    handle: {
      listen: async (_: string, onMessage: (text: string) => void, onState: (isThere: boolean) => void) => {
        listeners.add(onMessage);
        onState(true);
        return async () => void listeners.delete(onMessage);
      },
      notify: async (_: string, text: string) => {
        if (mode === "refuses") throw new Error("away");
        sent.push(text);
        if (mode === "carries") for (const listener of listeners) listener(text);
      },
    },
  };
};

/** A Redis at which everyone may say anything. */
const createRedis = () => {
  const listeners = new Set<ChannelListener>();
  const said: string[] = [];
  const say = (text: string) => {
    said.push(text);
    for (const { onMessage } of listeners) onMessage(text);
  };
  const begin = () => {
    for (const { onBegin } of listeners) onBegin();
  };
  const client = { publish: async (_: string, text: string) => say(text) };
  const link: RedisLink = {
    isUp: true,
    isConfigured: true,
    state: () => ({ state: "up", server: "x", source: "settings", since: "", reason: null }),
    ask: async (command) => command(asClient(client)),
    onConnect: () => {},
    use: () => {},
    subscribe: (_, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {},
  };
  return { link, said, say, begin };
};

/** A client of which the bus uses one command alone. */
const asClient = (client: object) => client as Parameters<Parameters<RedisLink["ask"]>[0]>[0];

const startReplica = async (
  { handle }: Pick<ReturnType<typeof createDatabase>, "handle">,
  { link }: Pick<ReturnType<typeof createRedis>, "link">,
) => {
  const log = createRecordingLog();
  const bus = await createPostgresEventBus({
    handle,
    log,
    link,
    patience: { overdueMs: 100, retryMs: 100 },
  });
  endings.push(bus.close);
  const heard: AppEvent[] = [];
  let gaps = 0;
  const hear = (event: AppEvent) => heard.push(event);
  bus.subscribe(Object.fromEntries(plannedEvents.map((type) => [type, hear])), () => {
    gaps += 1;
  });
  return { bus, heard, log, gaps: () => gaps };
};

const event: AppEvent = { type: "sessions-ended", userId: "u1" };

describe("an event that goes two ways", () => {
  test("is heard once, whichever way is quicker", async () => {
    const [database, redis] = [createDatabase(), createRedis()];
    const one = await startReplica(database, redis);
    const other = await startReplica(database, redis);
    one.bus.publish(event);
    await until(() => redis.said.length === 1 && database.sent.some((text) => text.includes("u1")));
    expect(other.heard).toEqual([event]);
    expect(one.heard).toEqual([event]);
    one.bus.publish(event);
    expect(other.heard).toEqual([event, event]);
  });

  test("arrives over Redis while it cannot be sent to the database, and is not told again afterwards", async () => {
    const [database, redis] = [createDatabase(), createRedis()];
    const one = await startReplica(database, redis);
    const other = await startReplica(database, redis);
    database.set("refuses");
    one.bus.publish(event);
    await until(() => other.heard.length === 1);
    database.set("carries");
    await until(() => database.sent.some((text) => text.includes("u1")));
    expect(other.heard).toEqual([event]);
  });
});

describe("A2: events of others count as complete only while notifications come through", () => {
  test("behind a pooler that swallows them no one believes in them, though Redis carries events", async () => {
    const [database, redis] = [createDatabase(), createRedis()];
    database.set("swallows");
    const one = await startReplica(database, redis);
    const other = await startReplica(database, redis);
    expect([one.bus.isConnected, other.bus.isConnected]).toEqual([false, false]);
    one.bus.publish(event);
    await until(() => other.heard.length === 1);
    expect(other.bus.isConnected).toBe(false);
  });

  test("an echo that does not come back ends the belief, one that does restores it and tells of the gap", async () => {
    const [database, redis] = [createDatabase(), createRedis()];
    const one = await startReplica(database, redis);
    expect(one.bus.isConnected).toBe(true);
    database.set("swallows");
    one.bus.publish(event);
    await until(() => !one.bus.isConnected);
    const before = one.gaps();
    database.set("carries");
    await until(() => one.bus.isConnected);
    expect(one.gaps()).toBe(before + 1);
  });

  test("what begins to arrive over Redis changes nothing about that", async () => {
    const [database, redis] = [createDatabase(), createRedis()];
    const believing = await startReplica(database, redis);
    redis.begin();
    expect([believing.bus.isConnected, believing.gaps()]).toEqual([true, 0]);
    database.set("swallows");
    const doubting = await startReplica(database, redis);
    redis.begin();
    expect([doubting.bus.isConnected, doubting.gaps()]).toEqual([false, 1]);
  });
});

describe("a client that may write to Redis", () => {
  test("cannot make a notification pass for one that was heard before", async () => {
    const [database, redis] = [createDatabase(), createRedis()];
    const other = await startReplica(database, redis);
    const real = JSON.stringify({ origin: "one", id: "1", event });
    redis.say(JSON.stringify({ origin: "one", id: "1", event: { type: "user-changed", userId: "nobody" } }));
    await database.handle.notify("", real);
    await database.handle.notify("", real);
    redis.say(real);
    expect(other.heard).toEqual([{ type: "user-changed", userId: "nobody" }, event]);
  });

  test("is not listened to when it is no event, too long, or beyond all numbers", async () => {
    const [database, redis] = [createDatabase(), createRedis()];
    const other = await startReplica(database, redis);
    const strange = [
      "",
      "null",
      "[]",
      "{}",
      '{"event":{"type":"user-changed"}}',
      '{"event":{"type":"user-changed","userId":7}}',
      '{"event":{"type":"settings-changed","generation":1e308}}',
      '{"event":{"type":"settings-changed","generation":-1}}',
      '{"event":{"type":"activity-recorded","through":1.5}}',
      '{"event":{"type":"activity-recorded","through":"9"}}',
      '{"event":{"type":"become-admin","userId":"u"}}',
      JSON.stringify({ event: { type: "user-changed", userId: "u".repeat(65) } }),
      JSON.stringify({ event: { type: "token-changed", tokenId: "t".repeat(65) } }),
      JSON.stringify({ id: "i".repeat(400), event: { type: "user-changed", userId: "u" } }),
    ];
    for (const text of strange) redis.say(text);
    expect(other.heard).toEqual([]);
    expect(other.bus.isConnected).toBe(true);
  });

  test("causes no endless work, while notifications still arrive", async () => {
    const [database, redis] = [createDatabase(), createRedis()];
    const other = await startReplica(database, redis);
    for (let n = 0; n < 20_000; n += 1)
      redis.say(JSON.stringify({ origin: "x", event: { type: "user-changed", userId: String(n) } }));
    // A second may end in between.
    expect(other.heard.length).toBeLessThanOrEqual(1_500);
    await database.handle.notify("", JSON.stringify({ origin: "one", id: "1", event }));
    expect(other.heard.at(-1)).toEqual(event);
  });
});

describe("a client that may notify, for which PostgreSQL needs no permission", () => {
  const flood = async (database: ReturnType<typeof createDatabase>, count: number) => {
    for (let n = 0; n < count; n += 1)
      await database.handle.notify(
        "",
        JSON.stringify({ origin: "x", event: { type: "user-changed", userId: String(n) } }),
      );
  };

  test("A2: causes no endless work, and what is passed over counts as a change of everything", async () => {
    const [database, redis] = [createDatabase(), createRedis()];
    const other = await startReplica(database, redis);
    const before = other.gaps();
    await flood(database, 20_000);
    await database.handle.notify("", JSON.stringify({ origin: "one", id: "1", event }));
    // Spans of a quarter of a second end in between.
    expect(other.heard.length).toBeLessThanOrEqual(1_500);
    expect(other.heard).not.toContainEqual(event);
    const toldSoFar = other.gaps();
    await until(() => other.gaps() > toldSoFar, 1_000);
    expect(other.gaps() - before).toBeLessThan(20);
    await database.handle.notify("", JSON.stringify({ origin: "one", id: "2", event }));
    expect(other.heard.at(-1)).toEqual(event);
    expect(other.bus.isConnected).toBe(true);
  });

  test("keeps no process from recognizing what it sent itself", async () => {
    const [database, redis] = [createDatabase(), createRedis()];
    const one = await startReplica(database, redis);
    const flooding = flood(database, 5_000);
    one.bus.publish(event);
    await flooding;
    await until(() => database.sent.some((text) => text.includes("u1")));
    // One that loses what it sends finds out after as long, and begins to wait later.
    const lossy = createDatabase();
    const doubting = await startReplica(lossy, createRedis());
    lossy.set("swallows");
    doubting.bus.publish(event);
    await until(() => !doubting.bus.isConnected);
    expect(one.bus.isConnected).toBe(true);
  });
});

test("too much over Redis counts as a change of everything where nothing else arrives", async () => {
  const [database, redis] = [createDatabase(), createRedis()];
  database.set("swallows");
  const other = await startReplica(database, redis);
  for (let n = 0; n < 2_000; n += 1)
    redis.say(JSON.stringify({ origin: "x", event: { type: "user-changed", userId: String(n) } }));
  expect(other.gaps()).toBe(0);
  await until(() => other.gaps() > 0, 1_000);
});
