import { describe, expect, test } from "bun:test";
import { createFakeKv } from "../testing/fake-kv.ts";
import type { Beacon } from "../wire.ts";
import { type Aggregate, countIn, emptyAggregate, fitAggregate, mergeAggregate } from "./histogram.ts";
import { dayMs, hourMs } from "./page-template.ts";
import { createVitalsStore } from "./vitals-store.ts";

const noon = Date.parse("2026-11-21T12:00:00Z");

const stage = () => {
  const clock = { ms: noon };
  const now = () => clock.ms;
  const kv = createFakeKv(now);
  return { clock, kv, server: () => createVitalsStore({ kv, now }) };
};

const visit = (page: string, value = 1_200): Beacon => ({
  values: [{ page, metric: "LCP", value }],
  steps: [],
});
const visitsIn = (aggregate: Aggregate | undefined, page: string) =>
  countIn(aggregate?.pages[page]?.LCP ?? []);

describe("what browsers measured", () => {
  test("is written once for however many visits, and not at all without any", async () => {
    const { kv, server } = stage();
    const store = server();
    for (let made = 0; made < 500; made += 1) store.add(visit(made % 2 === 0 ? "/" : "/about"));
    await store.flush();
    await store.flush();
    expect(kv.writes).toBe(1);
    const [slot] = await store.read(noon, noon + hourMs);
    expect(visitsIn(slot?.aggregate, "/")).toBe(250);
  });

  test("adds up over servers that write at the same moment", async () => {
    const { server } = stage();
    const servers = [server(), server(), server(), server()];
    for (const store of servers) for (let made = 0; made < 25; made += 1) store.add(visit("/"));
    await Promise.all(servers.map((store) => store.flush()));
    const [slot] = await server().read(noon, noon + hourMs);
    expect(visitsIn(slot?.aggregate, "/")).toBe(100);
  });

  test("is not lost while it cannot be stored", async () => {
    const { kv, server } = stage();
    const store = server();
    store.add(visit("/"));
    kv.isAway = true;
    await expect(store.flush()).rejects.toThrow("the database is away");
    store.add(visit("/"));
    kv.isAway = false;
    await store.flush();
    const [slot] = await store.read(noon, noon + hourMs);
    expect(visitsIn(slot?.aggregate, "/")).toBe(2);
  });

  test("of an hour that is not over is read again each time", async () => {
    const { server } = stage();
    const store = server();
    for (const expected of [1, 2, 3]) {
      store.add(visit("/"));
      await store.flush();
      const [slot] = await store.read(noon, noon + hourMs);
      expect(visitsIn(slot?.aggregate, "/")).toBe(expected);
    }
  });
});

describe("hours become a day", () => {
  test("once the day is over, by any server and any number of times", async () => {
    const { clock, kv, server } = stage();
    const [one, other] = [server(), server()];
    for (let hour = 0; hour < 24; hour += 1) {
      clock.ms = Date.parse("2026-11-21T00:30:00Z") + hour * hourMs;
      one.add(visit("/"));
      await one.flush();
    }
    await one.rollUp();
    expect((await kv.list("d/")).keys).toEqual([]);
    clock.ms = Date.parse("2026-11-22T02:00:00Z");
    await one.rollUp();
    await other.rollUp();
    expect((await kv.list("d/")).keys).toEqual(["d/2026-11-21"]);
    const slots = await one.read(Date.parse("2026-11-21T00:00:00Z"), Date.parse("2026-11-22T00:00:00Z"));
    expect(slots.map(({ spanMs, aggregate }) => [spanMs, visitsIn(aggregate, "/")])).toEqual([[dayMs, 24]]);
  });

  test("and a part of that day is still told by its hours", async () => {
    const { clock, server } = stage();
    const store = server();
    store.add(visit("/"));
    await store.flush();
    clock.ms += hourMs;
    store.add(visit("/"));
    await store.flush();
    clock.ms = noon + dayMs;
    await store.rollUp();
    expect(await store.read(noon + hourMs, noon + 2 * hourMs)).toHaveLength(1);
  });

  test("and nothing is left of it after ninety days", async () => {
    const { clock, server } = stage();
    const store = server();
    store.add(visit("/"));
    await store.flush();
    clock.ms = noon + dayMs;
    await store.rollUp();
    expect(await store.firstAt()).toBe(Date.parse("2026-11-21T00:00:00Z"));
    clock.ms = noon + 90 * dayMs;
    expect(await store.firstAt()).toBeNull();
    expect(await store.read(noon - dayMs, clock.ms)).toEqual([]);
  });
});

test("an aggregate that is too large keeps all its values, and its busiest pages apart", () => {
  const aggregate = emptyAggregate();
  const full = Array.from({ length: 190 }, (_, bucket) => [bucket, 1_000_000]).flat();
  for (let page = 0; page < 60; page += 1)
    mergeAggregate(aggregate, {
      pages: { [`/page-${page}`]: { LCP: full, CLS: full } },
      steps: { "/": { "/a": 1 } },
    });
  mergeAggregate(aggregate, {
    pages: { "/busy": { LCP: full.map((part, at) => (at % 2 === 0 ? part : part * 9)) } },
    steps: {},
  });
  const all = () => Object.values(aggregate.pages).reduce((sum, { LCP = [] }) => sum + countIn(LCP), 0);
  const before = all();
  fitAggregate(aggregate, 60_000);
  expect(JSON.stringify(aggregate).length).toBeLessThanOrEqual(60_000);
  expect(all()).toBe(before);
  expect(Object.keys(aggregate.pages)).toContain("/busy");
  expect(aggregate.steps).toEqual({});
});
