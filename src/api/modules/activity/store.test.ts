import { expect, test } from "bun:test";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { fillActivity, randomFacts } from "#api/testing/fill-activity.ts";
import { createRandom, testSeed } from "#api/testing/random.ts";
import { matches, readFilter } from "./filter.ts";
import { belowOf, selectByFilter } from "./selection-store.ts";
import { findDepth, selectActivitiesAfter, selectByKinds, selectNearby } from "./store.ts";

const seed = testSeed();
const random = createRandom(seed);
const dayMs = 24 * 60 * 60 * 1000;

const database = await databaseForFile();
const ctx = testContext({ db: database.db, actor: { kind: "operator" } });
await fillActivity(ctx, randomFacts(random, { count: 1_500, end: ctx.clock.now(), spanMs: 8 * dayMs }));
const newestFirst = (await selectActivitiesAfter(database.db, 0, 10_000)).reverse();

const aQuery = () => ({
  ...(random.once(2) ? { type: "api_call" } : { status: "failure,info" }),
  ...(random.once(3) ? { pluginName: "long-gone" } : {}),
  ...(random.once(2) ? { startDate: newestFirst[random.below(1_500)]?.timestamp ?? "" } : {}),
});

test("every way to a slice finds the same rows, near the newest, far down, and where a kind has old rows alone", async () => {
  let isNear = 0;
  for (let turn = 0; turn < 60; turn += 1) {
    const filter = readFilter(aQuery());
    const before = random.once(3) ? 1 + random.below(1_500) : null;
    const slice = { offset: random.below(random.pick([5, 400])), limit: 1 + random.below(40) };
    const wanted = newestFirst
      .filter((activity) => matches(filter, activity) && (before === null || activity.id < before))
      .slice(slice.offset, slice.offset + slice.limit);
    const selection = belowOf(await selectByFilter(database.db, filter), before);
    if (selection.total === 0) continue;
    const expected = { seed, filter, before, slice, rows: wanted };
    expect({ ...expected, rows: await selectByKinds(database.db, selection, slice) }).toEqual(expected);
    const near = await selectNearby(database.db, selection, slice);
    if (near !== null) {
      isNear += 1;
      expect({ ...expected, rows: near }).toEqual(expected);
    }
    const depth = await findDepth(database.db, selection, slice);
    const deep =
      depth === null
        ? []
        : await selectByKinds(database.db, depth.selection, { offset: depth.offset, limit: slice.limit });
    expect({ ...expected, rows: deep }).toEqual(expected);
  }
  expect(isNear).toBeGreaterThan(10);
}, 120_000);

test("a place far down is looked for in its own days alone", async () => {
  const selection = await selectByFilter(database.db, readFilter({ type: "api_call" }));
  const depth = await findDepth(database.db, selection, { offset: 500, limit: 10 });
  expect(depth?.offset).toBeLessThan(300);
  expect((depth?.selection.through ?? 0) - (depth?.selection.above ?? 0)).toBeLessThan(600);
});
