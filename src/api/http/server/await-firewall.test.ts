import { expect, test } from "bun:test";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { awaitFirewall, isGuarded } from "./serve.ts";

const database = await databaseForFile();

/** Plugins that cannot be brought to what is stored the first `failures` times, and a log. */
const world = (failures = 0) => {
  const told: string[] = [];
  const tries: (readonly string[])[] = [];
  const tell = (message: string) => void told.push(message);
  const log = { debug: tell, info: tell, warn: tell, error: tell, flush: () => {} };
  const converge = async (names: readonly string[]) => {
    tries.push(names);
    if (tries.length <= failures) throw new Error("the database is away");
  };
  return { db: database.db, log, plugins: { isSafeMode: false, converge }, told, tries };
};

test("requests wait while it is unknown whether the firewall is on, and not when it is off", async () => {
  const { told, ...on } = world();
  expect(await isGuarded(on)).toBe(false);
  const away = new Proxy(on.db, {
    get: () => {
      throw new Error("the database is away");
    },
  });
  expect(await isGuarded({ ...on, db: away })).toBe(true);
  expect(told).toEqual(["it is unknown whether plugins have rules for requests: they could not be read"]);
  expect(await isGuarded({ ...on, db: away, plugins: { ...on.plugins, isSafeMode: true } })).toBe(false);
});

test("the state of the firewall is read again until that works, and then requests no longer wait", async () => {
  const { told, tries, ...on } = world(2);
  await awaitFirewall(on, Promise.resolve());
  expect(tries).toEqual(Array(3).fill(["firewall"]));
  expect(told).toEqual([]);
});

test("a firewall that does not start within five seconds keeps no request waiting, which is logged", async () => {
  const { told, ...on } = world(Number.POSITIVE_INFINITY);
  await awaitFirewall(on, Promise.resolve());
  expect(told).toEqual([
    "the firewall or rules of plugins do not apply yet: requests are answered without them",
  ]);
}, 10_000);
