import { describe, expect, test } from "bun:test";
import { newApiToken } from "#api/core/actor.ts";
import { createActivityReader, type LoggedActivity } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { newTokenClient } from "#api/testing/token-client.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const newRows = createActivityReader(host.services);

/** The rows that calls leave once the minute is over in which they are counted together. */
const rowsAfter = async (act: () => Promise<unknown>): Promise<LoggedActivity[]> => {
  host.clock.advance(61_000);
  await newRows();
  await act();
  host.clock.advance(61_000);
  return newRows();
};

describe("L4: what an API token does is in the activity log under its name", () => {
  test("what it reads leaves no row", async () => {
    const owner = (await host.signedIn("admin")).user;
    const client = await newTokenClient(host, { name: "nightly report", owner });
    const rows = await rowsAfter(async () => {
      for (const path of ["/api/admin/users", "/api/system/info", "/api/admin/activity/stats"])
        expect((await client.call("GET", path)).status).toBe(200);
    });
    expect(rows).toEqual([]);
  });

  test("each change has a row of its own", async () => {
    const client = await newTokenClient(host, { name: "keeper" });
    const rows = await rowsAfter(async () => {
      for (const days of [500, 501]) await client.call("PUT", "/api/admin/activity/retention", { days });
    });
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row).toMatchObject({ actorKind: "token", userId: null, occurrences: 1 });
      expect(row.description).toContain('by the token "keeper"');
    }
  });

  test("two tokens with the same owner are told apart", async () => {
    const owner = (await host.signedIn("admin")).user;
    const one = await newTokenClient(host, { name: "one", owner });
    const other = await newTokenClient(host, { name: "other", owner });
    const rows = await rowsAfter(async () => {
      for (const [at, client] of [one, other, one].entries())
        await client.call("PUT", "/api/admin/activity/retention", { days: 400 + at });
    });
    const named = (name: string) => rows.filter(({ description }) => description.includes(`"${name}"`));
    expect([named("one").length, named("other").length]).toEqual([2, 1]);
  });

  test("what it was refused, and what was not found, is logged too", async () => {
    const client = await newTokenClient(host, { name: "curious", scopes: ["users:read"] });
    const rows = await rowsAfter(async () => {
      await client.call("GET", "/api/admin/backups");
      await client.call("GET", "/api/admin/users/none");
    });
    expect(rows.map(({ type, status, description }) => [type, status, description])).toEqual([
      [
        "permission_violation",
        "failure",
        'GET /api/admin/backups was answered with 403 FORBIDDEN (by the token "curious")',
      ],
      [
        "api_call",
        "failure",
        'GET /api/admin/users/:user was answered with 404 NOT_FOUND (by the token "curious")',
      ],
    ]);
  });

  test("an invalid one is logged with the reason, which the client is not told", async () => {
    const rows = await rowsAfter(() =>
      host.request("/api/admin/users", { headers: { authorization: `Bearer ${newApiToken()}` } }),
    );
    expect(rows).toMatchObject([
      {
        ...{ type: "permission_violation", status: "failure", actorKind: "visitor" },
        action: "Called GET /api/admin/users with an API token that is not valid",
        description: "GET /api/admin/users was answered with 401 NOT_SIGNED_IN: it does not exist",
      },
    ]);
  });
});

test("A4: an API token sent in the wrong place is neither stored nor logged", async () => {
  const client = await newTokenClient(host);
  const { token } = client.made;
  const headers = { "user-agent": `curl ${token}`, referer: `https://x.example/?t=${token}` };
  await client.call("GET", `/api/admin/users/${token}`, undefined, { headers });
  await client.call("GET", `/api/${token}`, undefined, { headers });
  await client.call("POST", "/api/admin/users", { name: token, email: token, password: "x", role: token });
  await host
    .visitor()
    .call("POST", "/api/auth/login", { email: `${token}@x.example`, password: "x".repeat(12) });
  const page = await client.call("GET", `/api/admin/users?search=${token}&limit=none`);
  expect(await page.text()).not.toContain(token.slice(4));
  host.clock.advance(61_000);
  await host.services.activity.settle();
  const secret = token.slice(4, 40);
  expect((await contentsOf(host.db)).join("\n")).not.toContain(secret);
  expect(JSON.stringify(host.logs)).not.toContain(secret);
});
