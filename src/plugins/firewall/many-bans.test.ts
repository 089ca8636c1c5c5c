import { afterAll, beforeAll, expect, test } from "bun:test";
import { type LiveFirewall, startLiveFirewall } from "#api/testing/live-firewall.ts";

let live: LiveFirewall;
beforeAll(async () => {
  live = await startLiveFirewall();
});
afterAll(() => live.host.close());

test("more bans in a minute than the activity log takes lines are all set, and lifted, without a failure", async () => {
  const statuses = new Set<number>();
  for (let at = 0; at < 120; at += 1) {
    const body = { address: `198.51.100.${at}`, minutes: 10 };
    statuses.add((await live.admin.call("POST", "/api/firewall/bans", body)).status);
  }
  statuses.add((await live.admin.call("DELETE", "/api/firewall/bans")).status);
  expect([...statuses]).toEqual([200]);
  const { data } = Object(await (await live.admin.call("GET", "/api/firewall/bans")).json());
  expect(data.pagination.total).toBe(0);
});
