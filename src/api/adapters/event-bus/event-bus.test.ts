import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { systemClock } from "#api/core/clock.ts";
import type { AppEvent } from "#api/core/events.ts";
import { openPostgres } from "#api/db/postgres/open-postgres.ts";
import { startTestDatabaseServer, type TestDatabaseServer } from "#api/testing/database-server.ts";
import { startFaultProxy } from "#api/testing/fault-proxy.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";
import { createRedisLink } from "../redis/redis-link.ts";
import { createMemoryEventBus, createPostgresEventBus } from "./postgres-event-bus.ts";

const event: AppEvent = { type: "sessions-ended", userId: "u1" };
const endings: (() => Promise<unknown>)[] = [];

let server: TestDatabaseServer;

beforeAll(async () => {
  server = await startTestDatabaseServer();
});

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  await server.mend();
});

afterAll(() => server.close());

/** One replica: its bus, and what its listener has heard. */
const startReplica = async (url: string) => {
  const handle = openPostgres(url);
  endings.push(handle.close);
  const log = createRecordingLog();
  const link = createRedisLink({ clock: systemClock, log });
  const bus = await createPostgresEventBus({ handle, log, link });
  endings.push(bus.close);
  const heard: AppEvent[] = [];
  const gaps: number[] = [];
  const hear = (heardEvent: AppEvent) => heard.push(heardEvent);
  bus.subscribe({ "sessions-ended": hear, "user-changed": hear }, () => gaps.push(heard.length));
  return { handle, bus, heard, gaps };
};

test("in memory an event is heard before publishing returns, by those alone who want its type, and no longer after unsubscribing", () => {
  const bus = createMemoryEventBus(createRecordingLog());
  const heard: AppEvent[] = [];
  const stop = bus.subscribe({ "sessions-ended": (heardEvent) => heard.push(heardEvent) });
  bus.publish(event);
  bus.publish({ type: "user-changed", userId: "u1" });
  stop();
  bus.publish(event);
  expect(heard).toEqual([event]);
  expect(bus.isConnected).toBe(true);
});

test("a listener that throws is logged, and the next one still hears the event", () => {
  const log = createRecordingLog();
  const bus = createMemoryEventBus(log);
  const heard: AppEvent[] = [];
  bus.subscribe({
    "sessions-ended": () => {
      throw new Error("no");
    },
  });
  bus.subscribe({ "sessions-ended": (heardEvent) => heard.push(heardEvent) });
  bus.publish(event);
  expect(heard).toEqual([event]);
  expect(log.entries.map(({ level }) => level)).toEqual(["error"]);
});

test("replicas hear each other's events once, and their own immediately and once", async () => {
  const [one, two] = [await startReplica(server.url), await startReplica(server.url)];
  expect([one.bus.isConnected, two.bus.isConnected]).toEqual([true, true]);
  one.bus.publish(event);
  expect(one.heard).toEqual([event]);
  two.bus.publish({ type: "user-changed", userId: "u2" });
  await until(() => two.heard.length === 2 && one.heard.length === 2);
  // One more round trip: had an event come back to its sender, it would be there by now.
  const last: AppEvent = { type: "user-changed", userId: "last" };
  one.bus.publish(last);
  await until(() => two.heard.some((heardEvent) => "userId" in heardEvent && heardEvent.userId === "last"));
  expect(one.heard).toEqual([event, { type: "user-changed", userId: "u2" }, last]);
  expect(two.heard).toHaveLength(3);
});

test("while the line is cut the bus says so, and when it is back it tells of the gap", async () => {
  const replica = await startReplica(server.url);
  server.cut();
  await until(() => !replica.bus.isConnected);
  expect(replica.gaps).toEqual([]);
  await server.mend();
  await until(() => replica.bus.isConnected);
  expect(replica.gaps).toHaveLength(1);
});

test("an event that could not be sent is heard immediately here, and by the others when the line is back", async () => {
  const url = new URL(server.url);
  const line = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
  endings.push(line.close);
  url.port = String(line.port);
  const [far, near] = [await startReplica(url.href), await startReplica(server.url)];
  line.cut();
  await until(() => !far.bus.isConnected);
  far.bus.publish(event);
  expect(far.heard).toEqual([event]);
  await line.mend();
  await until(() => near.heard.length > 0);
  expect(near.heard).toEqual([event]);
});

test("what others write to the channel, and events of a newer version, are passed over", async () => {
  const replica = await startReplica(server.url);
  const strange = [
    "",
    "no json",
    "null",
    '{"origin":"x","event":{"type":"from-the-future","userId":"u"}}',
    '{"event":{"type":"user-changed"}}',
  ];
  for (const payload of strange) await replica.handle.notify("atrium_events", payload);
  const known = { origin: "another", event: { type: "user-changed", userId: "u3" } };
  await replica.handle.notify("atrium_events", JSON.stringify(known));
  await until(() => replica.heard.length > 0);
  expect(replica.heard).toEqual([{ type: "user-changed", userId: "u3" }]);
});
