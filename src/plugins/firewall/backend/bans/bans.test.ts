import { expect, test } from "bun:test";
import { createFakeKv, fault } from "../testing/fake-kv.ts";
import { createBans, createBansStore } from "./bans.ts";

const clock = { nowMs: 1_000_000_000_000 };
const now = () => clock.nowMs;
const replica = (kv: ReturnType<typeof createFakeKv>, ownNow = now) => {
  const bans = createBans(ownNow);
  return { bans, store: createBansStore(kv, bans) };
};
const ban = (address: string) => ({ address, reason: "r", author: "Ada", ms: 60_000 });

test("a ban of one replica holds on the others, and over a restart", async () => {
  const kv = createFakeKv(now);
  const [one, other] = [replica(kv), replica(kv)];
  one.bans.set(ban("198.51.100.1"));
  await one.store.sync();
  await other.store.sync();
  expect(other.bans.of("198.51.100.1")).toMatchObject({ reason: "r" });
});

test("bans that several replicas make at once all hold", async () => {
  const kv = createFakeKv(now);
  const replicas = Array.from({ length: 4 }, () => replica(kv));
  for (const [index, { bans }] of replicas.entries()) bans.set(ban(`198.51.100.${index}`));
  await Promise.all(replicas.map(({ store }) => store.sync()));
  await Promise.all(replicas.map(({ store }) => store.sync()));
  for (const { bans } of replicas) expect(bans.list()).toHaveLength(4);
});

test("a ban that was lifted on one replica is not brought back by another", async () => {
  const kv = createFakeKv(now);
  const [one, other] = [replica(kv), replica(kv)];
  one.bans.set(ban("198.51.100.1"));
  await one.store.sync();
  await other.store.sync();
  clock.nowMs += 1_000;
  one.bans.lift("198.51.100.1");
  other.bans.set(ban("198.51.100.2"));
  await one.store.sync();
  await other.store.sync();
  await one.store.sync();
  expect(other.bans.of("198.51.100.1")).toBeNull();
  expect(one.bans.list().map(({ address }) => address)).toEqual(["198.51.100.2"]);
});

test("what is decided last holds, also on a replica whose clock is behind", async () => {
  const kv = createFakeKv(now);
  const [one, other] = [replica(kv), replica(kv, () => now() - 5_000)];
  const everyoneHears = async () => {
    for (const { store } of [other, one, other]) await store.sync();
  };
  one.bans.set(ban("198.51.100.1"));
  await one.store.sync();
  await other.store.sync();
  expect(other.bans.lift("198.51.100.1")).toBe(true);
  await everyoneHears();
  expect(one.bans.of("198.51.100.1")).toBeNull();
  other.bans.set(ban("198.51.100.1"));
  await everyoneHears();
  expect(one.bans.of("198.51.100.1")).not.toBeNull();
});

test("a ban that was lifted here is not brought back by what another replica wrote before it knew", async () => {
  const kv = createFakeKv(now);
  const [one, other] = [replica(kv), replica(kv)];
  one.bans.set(ban("198.51.100.1"));
  await one.store.sync();
  await other.store.sync();
  clock.nowMs += 1_000;
  one.bans.lift("198.51.100.1");
  other.bans.set(ban("198.51.100.2"));
  await other.store.sync();
  await one.store.sync();
  expect(one.bans.list().map(({ address }) => address)).toEqual(["198.51.100.2"]);
});

test("what could not be stored is stored as soon as the database is back", async () => {
  const kv = createFakeKv(now);
  const one = replica(kv);
  one.bans.set(ban("198.51.100.1"));
  kv.fails = () => fault("UNAVAILABLE");
  expect(await one.store.sync().catch(() => "away")).toBe("away");
  kv.fails = () => null;
  await one.store.sync();
  const after = replica(kv);
  await after.store.sync();
  expect(after.bans.list()).toHaveLength(1);
});

test("under a flood of bans memory is bounded", () => {
  const bans = createBans(now);
  const rules = { firstMs: 60_000, mostMs: 60_000 };
  for (let index = 0; index < 4_000; index += 1) {
    const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
    bans.ban(address, "x", rules);
  }
  expect(bans.kept().length).toBeLessThanOrEqual(2_000);
  expect(bans.of("10.0.15.159")).not.toBeNull();
});
