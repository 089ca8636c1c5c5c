import { expect, test } from "bun:test";
import { patterns, startPlugin } from "../testing/started-plugin.ts";

test("no request has entries prepared: what has expired is taken out from second to second, and decides nothing till then", async () => {
  const clock = { nowMs: Date.parse("2030-01-01T00:00:00Z") };
  const plugin = await startPlugin({ clock });
  await plugin.call("POST", "/on");
  for (const body of [
    { kind: "deny", address: "198.51.100.0/24" },
    { kind: "allow", address: "198.51.100.0/28", for: "30m" },
    { kind: "deny", address: "192.0.2.1", for: "30m" },
  ])
    await plugin.call("POST", "/addresses", { body, user: null });
  const { host } = plugin.ctx;
  const { addressTest } = host;
  let prepared = 0;
  Object.assign(host, {
    addressTest: (ranges: string[]) => {
      prepared += 1;
      return addressTest(ranges);
    },
  });
  const isIn = async (ip: string) => (await plugin.pass({ ip })).stopped === null;
  clock.nowMs += 30 * 60_000;
  expect([await isIn("198.51.100.1"), await isIn("192.0.2.1"), prepared]).toEqual([false, true, 0]);
  await plugin.advance(1_000);
  expect([await isIn("198.51.100.1"), await isIn("192.0.2.1"), prepared]).toEqual([false, true, 1]);
});

test("the list of patterns tells what pages are told to expect, and nothing of how they work", async () => {
  const inner = { needs: ["x"], view: "plain" };
  const plugin = await startPlugin({ patterns: patterns.map((pattern) => ({ ...pattern, ...inner })) });
  const { data } = Object((await plugin.call("GET", "/patterns")).json);
  for (const row of data.patterns)
    expect(Object.keys(row).toSorted()).toEqual([
      "category",
      "hits",
      "id",
      "isInForce",
      "isOn",
      "paranoia",
      "score",
      "title",
    ]);
});
