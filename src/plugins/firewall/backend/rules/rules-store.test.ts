import { expect, test } from "bun:test";
import { createFakeKv, fault } from "../testing/fake-kv.ts";
import { noRules, type Rules } from "./rules.ts";
import { createRulesStore } from "./rules-store.ts";

const withCountry = (code: string): Rules => ({ ...noRules, countries: { mode: "deny", codes: [code] } });
const damage = (kv: ReturnType<typeof createFakeKv>) =>
  kv.values.set("rules", { json: "{broken", version: 9, endsAt: Number.POSITIVE_INFINITY });

test("another server reads what was saved, and neither overwrites the other's change", async () => {
  const kv = createFakeKv();
  const [one, other] = [createRulesStore(kv), createRulesStore(kv)];
  await one.load();
  await other.load();
  expect((await one.save(withCountry("FR"))).revision).toBe(1);
  expect(await other.isOutdated()).toBe(true);
  expect(String(await other.save(withCountry("DE")).catch(String))).toContain("CONFLICT");
  expect((await other.load()).rules).toEqual(withCountry("FR"));
  expect((await other.save(withCountry("DE"))).revision).toBe(2);
});

test("F6: damaged rules leave those in force that were good last, until they are restored", async () => {
  const kv = createFakeKv();
  const store = createRulesStore(kv);
  await store.load();
  await store.save(withCountry("FR"));
  damage(kv);
  const state = await store.load();
  expect([state.rules, state.trouble?.kind, state.trouble?.inForce]).toEqual([
    withCountry("FR"),
    "unreadable",
    "last-good",
  ]);
  await store.restore();
  expect(store.state.trouble).toBeNull();
  expect((await createRulesStore(kv).load()).rules).toEqual(withCountry("FR"));
});

test("F6: a server that starts with damaged rules takes their copy", async () => {
  const kv = createFakeKv();
  const before = createRulesStore(kv);
  await before.load();
  await before.save(withCountry("FR"));
  damage(kv);
  const state = await createRulesStore(kv).load();
  expect([state.rules, state.trouble?.inForce]).toEqual([withCountry("FR"), "copy"]);
});

test("F6: rules that are JSON and no rules are damage, too", async () => {
  for (const harm of [
    { addresses: [{ range: "x" }] },
    { countries: { mode: "sometimes", codes: [] } },
    { rates: {} },
  ]) {
    const kv = createFakeKv();
    const store = createRulesStore(kv);
    await store.load();
    await store.save(Object.assign({}, noRules, harm));
    expect((await createRulesStore(kv).load()).trouble?.kind).toBe("unreadable");
  }
});

test("F6: a database that is away at the start means no rules, and the stored ones as soon as it is back", async () => {
  const kv = createFakeKv();
  const before = createRulesStore(kv);
  await before.load();
  await before.save(withCountry("FR"));
  kv.fails = () => fault("UNAVAILABLE");
  const store = createRulesStore(kv);
  const away = await store.load();
  expect([away.rules, away.trouble?.kind, away.trouble?.inForce]).toEqual([
    noRules,
    "unreachable",
    "defaults",
  ]);
  kv.fails = () => null;
  expect(await store.load()).toMatchObject({ rules: withCountry("FR"), trouble: null });
});

test("F6: a database that goes away later changes nothing that is in force", async () => {
  const kv = createFakeKv();
  const store = createRulesStore(kv);
  await store.load();
  await store.save(withCountry("FR"));
  kv.fails = () => fault("FAILED");
  expect(await store.load()).toMatchObject({ rules: withCountry("FR"), trouble: { kind: "unreachable" } });
});
