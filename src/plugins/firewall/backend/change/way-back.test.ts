import { expect, test } from "bun:test";
import { noRules, type Rules } from "../rules/rules.ts";
import { defaultSwitches } from "../switches.ts";
import { createFakeKv } from "../testing/fake-kv.ts";
import { createPendingStore } from "./pending-store.ts";
import { confirmMs } from "./trial.ts";
import type { Change } from "./way-back.ts";
import { keepWayBack } from "./way-back.ts";

const nowMs = Date.parse("2030-01-01T00:00:00Z");
const switches = { ...defaultSwitches, masterSwitchEnabled: true };
const denying = (...ranges: string[]): Rules => ({
  ...noRules,
  addresses: ranges.map((range) => ({
    ...{
      id: range,
      range,
      kind: "deny",
      note: "",
      author: "Ada",
      createdAt: "2030-01-01T00:00:00Z",
      expiresAt: null,
    },
  })),
});
const ada = { id: "ada", name: "Ada", ip: "203.0.113.9" };
const operator = { id: null, name: "the operator", ip: null };
const first = denying("198.51.100.1");

/** A store in which the first change of an admin waits already. */
const waitingStore = async () => {
  const store = createPendingStore(createFakeKv(), () => nowMs);
  const change: Change = { editor: ada, what: "Denied 198.51.100.1" };
  const step = { before: { rules: noRules, switches }, after: { rules: first, switches } };
  const undo = await keepWayBack(store, change, {
    ...{ ...step, waiting: null, revision: 1, nowMs, knowsCountries: false },
  });
  const waiting = await store.load();
  if (waiting === null) throw new Error("nothing waits");
  return { store, waiting, undo };
};

test("what could not be saved waits for nobody", async () => {
  const { store, undo } = await waitingStore();
  await undo();
  expect(await store.load()).toBeNull();
});

test("a change that joins one that waits and could not be saved leaves that as it was", async () => {
  const { store, waiting } = await waitingStore();
  const change = { editor: ada, what: "Denied 198.51.100.2" };
  const undo = await keepWayBack(store, change, {
    before: { rules: first, switches },
    after: { rules: denying("198.51.100.1", "198.51.100.2"), switches },
    ...{ waiting, revision: 2, nowMs: nowMs + 1_000, knowsCountries: false },
  });
  expect((await store.load())?.whats).toHaveLength(2);
  await undo();
  expect(await store.load()).toMatchObject({ revision: waiting.revision, whats: waiting.whats });
});

test("what is harmless joins a change that waits, which waits no longer for it and goes back as far", async () => {
  const { store, waiting } = await waitingStore();
  const milder = { ...switches, threshold: 9 };
  await keepWayBack(
    store,
    { editor: ada, what: "Threshold 9" },
    {
      before: { rules: first, switches: { ...switches, banMinutes: 20 } },
      after: { rules: first, switches: milder },
      ...{ waiting, revision: 2, nowMs: nowMs + 30_000, knowsCountries: false },
    },
  );
  expect(await store.load()).toMatchObject({ revision: 3, deadline: nowMs + confirmMs, switches });
});

test("what the operator could not save leaves what a trial goes back to as it was", async () => {
  const { store, waiting } = await waitingStore();
  const change = { editor: operator, what: "Denied 192.0.2.1", edit: () => denying("192.0.2.1") };
  const undo = await keepWayBack(store, change, {
    before: { rules: first, switches },
    after: { rules: denying("192.0.2.1"), switches },
    ...{ waiting, revision: 2, nowMs, knowsCountries: false },
  });
  expect((await store.rulesBefore()).addresses).toMatchObject([{ range: "192.0.2.1" }]);
  await undo();
  expect((await store.rulesBefore()).addresses).toEqual([]);
});
