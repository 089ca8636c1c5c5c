import { expect, test } from "bun:test";
import { createFakeKv } from "../testing/fake-kv.ts";
import type { Beacon } from "../wire.ts";
import { createNextPages } from "./next-pages.ts";
import { dayMs, hourMs } from "./page-template.ts";
import { readSummary } from "./summary.ts";
import { createVitalsStore } from "./vitals-store.ts";

const stage = () => {
  const clock = { ms: Date.parse("2026-11-21T12:30:00Z") };
  const now = () => clock.ms;
  const store = createVitalsStore({ kv: createFakeKv(now), now });
  const tell = async (beacon: Partial<Beacon>) => {
    store.add({ values: [], steps: [], ...beacon });
    await store.flush();
  };
  return { clock, now, store, tell };
};

const lastWeek = { days: 7, withAdmin: false };

test("before the first visit there is nothing to show", async () => {
  const { store, now } = stage();
  expect(await readSummary({ store, now }, lastWeek)).toMatchObject({
    visits: 0,
    metrics: {},
    pages: [],
    firstAt: null,
  });
});

test("visits are told by metric, by page and over time, with what they mean", async () => {
  const { clock, store, now, tell } = stage();
  const fast: Beacon["values"] = [
    { page: "/", metric: "LCP", value: 900 },
    { page: "/", metric: "CLS", value: 0.02 },
  ];
  for (let made = 0; made < 30; made += 1) await tell({ values: fast });
  clock.ms += 2 * dayMs;
  for (let made = 0; made < 20; made += 1)
    await tell({ values: [{ page: "/about", metric: "LCP", value: 5_000 }] });
  await tell({ values: [{ page: "/about", metric: "CLS", value: 0.02 }] });
  const summary = await readSummary({ store, now }, lastWeek);
  expect(summary.visits).toBe(50);
  expect(summary.metrics.LCP).toMatchObject({ count: 50, rating: "poor" });
  expect(summary.metrics.CLS?.p75).toBeCloseTo(0.02, 2);
  expect(summary.pages.map(({ page, visits, metrics }) => [page, visits, metrics.LCP?.rating])).toEqual([
    ["/", 30, "good"],
    ["/about", 20, "poor"],
  ]);
  expect(summary.series).toHaveLength(7);
  expect(summary.series.map(({ visits }) => visits)).toEqual([0, 0, 0, 0, 30, 0, 20]);
});

test("fewer than twenty measurements are too few to judge, however slow they were", async () => {
  const { store, now, tell } = stage();
  const values: Beacon["values"] = [{ page: "/", metric: "LCP", value: 9_000 }];
  for (let made = 0; made < 19; made += 1) await tell({ values });
  expect((await readSummary({ store, now }, lastWeek)).metrics.LCP).toMatchObject({
    count: 19,
    rating: "too-few",
  });
  await tell({ values });
  expect((await readSummary({ store, now }, lastWeek)).metrics.LCP).toMatchObject({
    count: 20,
    rating: "poor",
  });
});

test("the admin area does not count among what visitors met, unless it is wanted", async () => {
  const { store, now, tell } = stage();
  for (const page of ["/", "/admin", "/admin/users", "/administration"])
    await tell({ values: [{ page, metric: "LCP", value: page.startsWith("/admin") ? 5_000 : 900 }] });
  const pagesOf = async (withAdmin: boolean) => {
    const { visits, pages, series } = await readSummary({ store, now }, { days: 7, withAdmin });
    return { visits, pages: pages.map(({ page }) => page), today: series.at(-1)?.visits };
  };
  expect(await pagesOf(false)).toEqual({ visits: 2, pages: ["/", "/administration"], today: 2 });
  expect(await pagesOf(true)).toEqual({
    visits: 4,
    pages: ["/", "/admin", "/admin/users", "/administration"],
    today: 4,
  });
});

test("a single day is told by its last 24 hours, this one included", async () => {
  const { clock, store, now, tell } = stage();
  await tell({ values: [{ page: "/", metric: "TTFB", value: 80 }] });
  clock.ms += hourMs;
  await tell({ values: [{ page: "/", metric: "TTFB", value: 80 }] });
  const { series } = await readSummary({ store, now }, { days: 1, withAdmin: false });
  expect(series).toHaveLength(24);
  expect(series.slice(-2).map(({ at, visits }) => [at, visits])).toEqual([
    ["2026-11-21T12:00:00.000Z", 1],
    ["2026-11-21T13:00:00.000Z", 1],
  ]);
});

test("the likely next pages are learned, without chance and without the admin area", async () => {
  const { store, now, tell } = stage();
  const next = createNextPages({ store, now });
  const steps = (from: string, to: string, count: number) =>
    Array.from({ length: count }, () => ({ from, to }));
  await tell({
    steps: [
      ...steps("/", "/login", 30),
      ...steps("/", "/about", 12),
      ...steps("/", "/terms", 2),
      ...steps("/", "*", 20),
      ...steps("/about", "/contact", 19),
      ...steps("/login", "/admin", 40),
      ...steps("/admin", "/admin/users", 40),
    ],
  });
  expect(next.current()).toEqual({});
  await next.refresh();
  expect(next.current()).toEqual({ "/": ["/login"] });
});
