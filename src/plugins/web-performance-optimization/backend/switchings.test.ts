import { expect, test } from "bun:test";
import { createSwitchings } from "./switchings.ts";
import { createFakeKv } from "./testing/fake-kv.ts";
import { dayMs, hourMs } from "./vitals/page-template.ts";
import { createVitalsStore } from "./vitals/vitals-store.ts";

const off = {
  compression: false,
  cacheLifetimes: false,
  preloadHeaders: false,
  prefetch: false,
  responseCache: false,
};

const stage = () => {
  const clock = { ms: Date.parse("2026-11-10T12:30:00Z") };
  const now = () => clock.ms;
  const kv = createFakeKv(now);
  const store = createVitalsStore({ kv, now });
  const visit = async (value: number, page = "/") => {
    const values = Array.from({ length: 20 }, () => ({ page, metric: "LCP" as const, value }));
    store.add({ values, steps: [] });
    await store.flush();
  };
  return { clock, visit, store, server: () => createSwitchings({ kv, store, now }) };
};

test("a change is recorded once, however many servers see it", async () => {
  const { server } = stage();
  const servers = [server(), server(), server()];
  await Promise.all(servers.map((one) => one.note(off)));
  await Promise.all(servers.map((one) => one.note({ ...off, compression: true })));
  await Promise.all(servers.map((one) => one.note(off)));
  expect((await server().list()).map((one) => [one.switch, one.isOn])).toEqual([
    ["compression", false],
    ["compression", true],
  ]);
});

test("at first the hours before and after are compared, without the hour of the change", async () => {
  const { clock, visit, server } = stage();
  await visit(4_000);
  clock.ms += hourMs;
  await visit(9_000);
  await server().note({ ...off, prefetch: true });
  clock.ms += hourMs;
  await visit(1_000);
  const [turned] = await server().list();
  expect(turned?.before.LCP).toMatchObject({ count: 20, rating: "needs-improvement" });
  expect(turned?.after.LCP).toMatchObject({ count: 20, rating: "good" });
  expect(turned?.others).toBe(0);
});

test("later the days before and after are compared, without the day of the change", async () => {
  const { clock, visit, store, server } = stage();
  for (const value of [4_000, 4_000, 9_000, 1_000, 1_000, 1_000]) {
    if (value === 9_000) await server().note({ ...off, prefetch: true });
    await visit(value);
    clock.ms += dayMs;
    await store.rollUp();
  }
  const [turned] = await server().list();
  expect(turned?.before.LCP).toMatchObject({ count: 40, rating: "needs-improvement" });
  expect(turned?.after.LCP).toMatchObject({ count: 60, rating: "good" });
});

test("visits to the admin area are not compared", async () => {
  const { clock, visit, server } = stage();
  await visit(9_000, "/admin/users");
  clock.ms += hourMs;
  await server().note({ ...off, prefetch: true });
  clock.ms += hourMs;
  await visit(9_000, "/admin");
  expect(await server().list()).toMatchObject([{ before: {}, after: {} }]);
});

test("other switches changed within the compared range are counted, each once", async () => {
  const { clock, server } = stage();
  const all = { ...off, compression: true, cacheLifetimes: true, prefetch: true };
  await server().note(all);
  expect((await server().list()).map(({ others }) => others)).toEqual([2, 2, 2]);
  clock.ms += 3 * hourMs;
  for (const preloadHeaders of [true, false, true]) await server().note({ ...all, preloadHeaders });
  expect((await server().list()).map(({ others }) => others)).toEqual([3, 3, 3, 3, 3, 3]);
});

test("a switch changed outside the compared range does not count", async () => {
  const { clock, server } = stage();
  await server().note({ ...off, compression: true });
  clock.ms += 30 * dayMs;
  await server().note({ ...off, compression: true, prefetch: true });
  clock.ms += hourMs;
  expect((await server().list()).map((one) => [one.switch, one.others])).toEqual([
    ["prefetch", 0],
    ["compression", 0],
  ]);
});

test("without measured visits there is nothing to compare", async () => {
  const { server } = stage();
  await server().note({ ...off, compression: true });
  expect(await server().list()).toMatchObject([{ switch: "compression", isOn: true, before: {}, after: {} }]);
});
