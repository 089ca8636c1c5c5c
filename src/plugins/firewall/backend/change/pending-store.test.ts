import { expect, test } from "bun:test";
import { noRules } from "../rules/rules.ts";
import { defaultSwitches } from "../switches.ts";
import { createFakeKv } from "../testing/fake-kv.ts";
import { createPendingStore } from "./pending-store.ts";

const pending = {
  ...{ revision: 3, deadline: 1_000, since: 500, by: "Ada", byId: "a-1" },
  ...{ whats: ["Denied 198.51.100.1"], more: 0 },
  switches: defaultSwitches,
};

test("of many that take a change back at once exactly one does, and others may after ten seconds", async () => {
  let now = 5_000_000;
  const kv = createFakeKv(() => now);
  const stores = Array.from({ length: 8 }, () => createPendingStore(kv, () => now));
  await stores[0]?.keep(pending, noRules);
  const take = async () => {
    const taken = await Promise.all(stores.map((store) => store.take(3, true)));
    return taken.filter(Boolean).length;
  };
  expect([await take(), await take()]).toEqual([1, 0]);
  expect(await stores[1]?.load()).toBeNull();
  now += 10_000;
  expect(await stores[1]?.load()).toMatchObject(pending);
  expect(await take()).toBe(1);
});

test("a change that was confirmed cannot be taken back, and another revision not at all", async () => {
  const store = createPendingStore(createFakeKv(), () => 5_000_000);
  await store.keep(pending, noRules);
  expect(await store.take(2, true)).toBe(false);
  expect(await store.take(3, false)).toBe(true);
  expect(await store.take(3, true)).toBe(false);
  expect(await store.load()).toBeNull();
});

test("what it goes back to is kept by the first of several changes", async () => {
  const store = createPendingStore(createFakeKv(), () => 5_000_000);
  const rules = { ...noRules, switchedOff: [1] };
  await store.keep(pending, rules);
  await store.keep({ ...pending, revision: 4 }, null);
  expect(await store.rulesBefore()).toEqual(rules);
});
