import { expect, test } from "bun:test";
import { admin, createSharedSettings } from "../testing/fake-ctx.ts";
import { createFakeKv, fault } from "../testing/fake-kv.ts";
import { startPlugin } from "../testing/started-plugin.ts";
import type { JournalEntry } from "../wire.ts";
import { createJournal, createJournalStore } from "./journal.ts";

const now = () => Date.parse("2030-01-02T00:00:00Z");
const entry = (index: number, change: Partial<JournalEntry> = {}): JournalEntry => ({
  id: `id-${index}`,
  at: new Date(now() - 1_000_000 + index).toISOString(),
  verdict: "blocked",
  ...{ address: "198.51.100.1", country: null, method: "GET", path: "/", query: "", userAgent: "" },
  user: null,
  ...{ score: 5, threshold: 5, reasons: [], status: 403, replica: "one" },
  ...change,
});
const ids = (entries: readonly JournalEntry[]) => entries.map(({ id }) => id).sort();

test("what one replica wrote down another reads, each entry once", async () => {
  const kv = createFakeKv(now);
  const [one, other] = ["one", "two"].map((replica) => createJournalStore({ kv, replica, now }));
  if (!one || !other) throw new Error("there are two");
  one.add(entry(1));
  await one.flush();
  expect(ids(await other.sync())).toEqual(["id-1"]);
  expect(await other.sync()).toEqual([]);
  one.add(entry(2));
  await one.flush();
  expect(ids(await other.sync())).toEqual(["id-1", "id-2"]);
});

test("thousands of entries lie in few values of a bounded size, and the oldest go", async () => {
  const kv = createFakeKv(now);
  const store = createJournalStore({ kv, replica: "one", now });
  const long = "x".repeat(400);
  for (let round = 0; round < 60; round += 1) {
    for (let index = 0; index < 200; index += 1) store.add(entry(round * 200 + index, { query: long }));
    await store.flush();
  }
  expect(kv.values.size).toBeLessThanOrEqual(100);
  const kept = await createJournalStore({ kv, replica: "two", now }).sync();
  expect(ids(kept)).toContain("id-11999");
  expect(ids(kept)).not.toContain("id-1");
});

test("in a flood some are left out, and counted", async () => {
  const store = createJournalStore({ kv: createFakeKv(now), replica: "one", now });
  for (let index = 0; index < 10_000; index += 1) store.add(entry(index));
  expect(store.leftOut).toBe(9_500);
});

test("while the database is away nothing that was taken is lost", async () => {
  const kv = createFakeKv(now);
  const store = createJournalStore({ kv, replica: "one", now });
  store.add(entry(1));
  kv.fails = () => fault("UNAVAILABLE");
  expect(await store.flush().catch(() => "away")).toBe("away");
  kv.fails = () => null;
  store.add(entry(2));
  await store.flush();
  expect(ids(await createJournalStore({ kv, replica: "two", now }).sync())).toEqual(["id-1", "id-2"]);
});

test("the journal has pages without gaps or repeats, and keeps the newest", () => {
  const journal = createJournal(now, 100);
  for (let index = 0; index < 250; index += 1)
    journal.add(entry(index, { at: new Date(now() - 1_000 + (index >> 2)).toISOString() }));
  const seen: string[] = [];
  let before: string | undefined;
  do {
    const page = journal.list({ limit: 7, ...(before === undefined ? {} : { before }) });
    seen.push(...page.entries.map(({ id }) => id));
    before = page.next ?? undefined;
  } while (before !== undefined);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBe(journal.size);
  expect(seen).toContain("id-249");
  expect(journal.find("id-0")).toBeNull();
});

test("explain tells of a request after a restart, and on another replica", async () => {
  const clock = { nowMs: now() };
  const [kv, shared] = [createFakeKv(() => clock.nowMs), createSharedSettings()];
  const one = await startPlugin({ clock, kv, shared });
  const other = await startPlugin({ clock, kv, shared, replica: "two" });
  await one.call("POST", "/on");
  const { id } = await one.pass({ query: "q=attack", ip: "198.51.100.4" });
  await one.advance(1_000);
  const told = await other.call("GET", `/explain/${id}`);
  expect(Object(told.json).data.sentences.join()).toContain("was blocked");
  expect(Object(told.json).message).toContain("198.51.100.4");
  await one.stop();
  const after = await startPlugin({ clock, kv, shared, replica: "three" });
  expect((await after.call("GET", `/explain/${id}`)).status).toBe(200);
  expect((await after.call("GET", "/explain/nobody")).status).toBe(404);
  clock.nowMs += 7 * 24 * 60 * 60 * 1_000 + 1;
  const late = await startPlugin({ clock, kv, shared, replica: "four" });
  expect((await late.call("GET", `/explain/${id}`)).status).toBe(404);
});

test("neither cookies nor credentials nor passwords nor mailed tokens are written down anywhere", async () => {
  const plugin = await startPlugin();
  await plugin.call("POST", "/on");
  const canary = "canary7";
  const token = `${canary}${"x".repeat(40)}`;
  await plugin.pass({
    path: `/api/auth/reset-password/${token}`,
    query: `password=${canary}&q=attack&api_key=${canary}`,
    headers: {
      cookie: `sid=${canary} attack`,
      authorization: `Bearer ${canary} attack`,
      "x-api-key": `${canary} attack`,
      referer: `https://x.example/?token=${canary}`,
    },
  });
  for (const name of ["cookie", "authorization", "x-api-key"])
    await plugin.pass({ headers: { [name]: `${canary} attack` } });
  await plugin.pass({ query: "q=attack", headers: { cookie: `a=${canary} attack` }, user: admin });
  await plugin.advance(300_000);
  await plugin.stop();
  const shown = await Promise.all(["/journal", "/traffic"].map((path) => plugin.call("GET", path)));
  const kept = [...plugin.kv.values.values()].map(({ json }) => json);
  const all = JSON.stringify([shown, kept, plugin.activities, plugin.logs]);
  expect(all).toContain("attack");
  expect(all).not.toContain(canary);
});
