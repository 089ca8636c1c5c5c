import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { noteActivity } from "#api/core/activity.ts";
import type { Context } from "#api/core/context.ts";
import { apiTokens, users } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { operatorClient, type TestClient, testPassword } from "#api/testing/host.ts";
import { type LiveStream, readStream } from "#api/testing/live-stream.ts";
import { newTokenClient, type TokenClient } from "#api/testing/token-client.ts";
import { until } from "#api/testing/until.ts";
import type { ActivitySeverity } from "#contract/activity.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const call = { requestId: "test", ip: "local", userAgent: null };
const operator: Context = { ...host.services, ...call, actor: { kind: "operator" } };

const open: LiveStream[] = [];
afterEach(async () => {
  for (const stream of open.splice(0)) await stream.close();
});

const path = "/api/admin/activity/stream";

/** Opens the stream as somebody; fails unless it is one. */
const listen = async (client: TestClient, query = "", headers = {}): Promise<LiveStream> => {
  const response = await client.call("GET", `${path}${query}`, undefined, headers);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const stream = readStream(response);
  open.push(stream);
  return stream;
};

/** A new admin, whose making is in the log already. */
const newAdmin = async (): Promise<TestClient> => {
  const admin = await host.signedIn("admin");
  await host.services.activity.settle();
  return admin;
};

let written = 0;
/** Has the log written some rows; their actions. */
const write = async (rows = 1, severity: ActivitySeverity = "low"): Promise<string[]> => {
  const actions: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    written += 1;
    actions.push(`Did number ${written}`);
    noteActivity(operator, { type: "file_write", action: `Did number ${written}`, severity });
  }
  await host.services.activity.settle();
  return actions;
};

const head = async (): Promise<number> => {
  const [row] = await host.db.execute<{ head: number }>(
    sql`select head_id::int as head from activity_chain where id = 1`,
  );
  return row?.head ?? 0;
};

describe("the live stream", () => {
  test("brings new activities in order and once, as the list shows them", async () => {
    const stream = await listen(await newAdmin());
    await stream.begun();
    const actions = [...(await write(3)), ...(await write(2))];
    expect(await stream.actions(5)).toEqual(actions);
    const ids = stream.events.map(({ id }) => Number(id));
    const newest = await head();
    expect(ids).toEqual([4, 3, 2, 1, 0].map((back) => newest - back));
    expect(JSON.parse(stream.events[0]?.data ?? "")).toMatchObject({
      id: ids[0],
      type: "file_write",
      actorKind: "operator",
      pluginName: "core",
      ip: "local",
    });
  });

  test("brings what its filters let through, and moves on past the rest", async () => {
    const admin = await newAdmin();
    const stream = await listen(admin, "?severity=high,critical&search=DID");
    await stream.begun();
    await write(3, "low");
    const wanted = await write(1, "critical");
    expect(await stream.actions(1)).toEqual(wanted);
    expect((await admin.call("GET", `${path}?severity=grave`)).status).toBe(422);
    expect((await admin.call("GET", `${path}?startDate=2026-02-01&endDate=2026-01-01`)).status).toBe(422);
  });

  test("resumes behind the last event that its reader has", async () => {
    const admin = await newAdmin();
    const first = await listen(admin);
    await first.begun();
    const before = await write(2);
    expect(await first.actions(2)).toEqual(before);
    await first.close();
    const missed = await write(3);
    const again = await listen(admin, "?after=1", { "last-event-id": first.lastId });
    const next = await write(1);
    expect(await again.actions(4)).toEqual([...missed, ...next]);
    const byQuery = await listen(admin, `?after=${first.lastId}`);
    expect(await byQuery.actions(4)).toEqual([...missed, ...next]);
  });

  test("tells of a gap in place of more than 1,000 rows, and to who comes from another log", async () => {
    const admin = await newAdmin();
    const begin = await head();
    await write(1_001);
    const late = await listen(admin, `?after=${begin}`);
    expect(await late.next("gap")).toEqual({ through: begin + 1_001 });
    const next = await write(1);
    expect(await late.actions(1)).toEqual(next);
    const just = await listen(admin, `?after=${begin + 2}`);
    expect(await just.actions(1_000)).toHaveLength(1_000);
    const foreign = await listen(admin, "?after=999999999");
    expect(await foreign.next("gap")).toEqual({ through: begin + 1_002 });
    const last = await write(1);
    expect(await foreign.actions(1)).toEqual(last);
    expect((await admin.call("GET", `${path}?after=-1`)).status).toBe(422);
    const unreadable = { "last-event-id": "one" };
    expect((await admin.call("GET", path, undefined, unreadable)).status).toBe(422);
  });

  test("works for the operator at the control socket", async () => {
    const stream = readStream(await operatorClient(host).call("GET", path));
    open.push(stream);
    await stream.begun();
    const actions = await write(1);
    expect(await stream.actions(1)).toEqual(actions);
  });

  test("a question for the headers alone takes no place", async () => {
    const admin = await newAdmin();
    for (let asked = 0; asked < 12; asked += 1) expect((await admin.call("HEAD", path)).status).toBe(200);
    await listen(admin);
  });

  test("is open ten times for one user; the eleventh is asked to come back, until one is closed", async () => {
    const admin = await newAdmin();
    const mine: LiveStream[] = [];
    for (let streams = 0; streams < 10; streams += 1) mine.push(await listen(admin));
    const refused = await admin.call("GET", path);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(await refused.json()).toMatchObject({ code: "BUSY" });
    await listen(await newAdmin());
    await mine[0]?.close();
    await listen(admin);
  });
});

describe("A2: the stream ends immediately, and sends nothing more, when", () => {
  const ends: [string, (admin: TestClient, other: TestClient) => Promise<Response>][] = [
    ["its session signs out", (admin) => admin.call("POST", "/api/auth/logout")],
    [
      "its user is demoted",
      (admin, other) => other.call("PUT", `/api/admin/users/${admin.user?.id}/role`, { role: "user" }),
    ],
    [
      "its user is disabled",
      (admin, other) => other.call("POST", `/api/admin/users/${admin.user?.id}/disable`),
    ],
    [
      "its user's sessions are ended",
      (admin, other) => other.call("DELETE", `/api/admin/users/${admin.user?.id}/sessions`),
    ],
    ["its user is deleted", (admin, other) => other.call("DELETE", `/api/admin/users/${admin.user?.id}`)],
  ];
  for (const [when, end] of ends)
    test(when, async () => {
      const [admin, other] = [await newAdmin(), await newAdmin()];
      const [stream, control] = [await listen(admin), await listen(other)];
      await stream.begun();
      expect((await end(admin, other)).status).toBe(200);
      // Before anything is recorded, so that no row is what brings it to light.
      await stream.ended();
      const after = await write(1);
      expect(await control.until((text) => text.includes(after[0] ?? "none"))).toBe(true);
      expect(stream.events).toEqual([]);
    });

  test("its session runs out", async () => {
    const admin = await newAdmin();
    const stream = await listen(admin);
    await stream.begun();
    await host.db.execute(
      sql`update sessions set expires_at = ${host.clock.now().toISOString()} where user_id = ${admin.user?.id}`,
    );
    await write();
    await stream.ended();
    expect(stream.events).toEqual([]);
  });

  test("another process took the rights away, of which no message came", async () => {
    const admin = await newAdmin();
    const stream = await listen(admin);
    await stream.begun();
    await host.db.execute(sql`update users set role = 'user' where id = ${admin.user?.id}`);
    await write();
    await stream.ended();
    expect(stream.events).toEqual([]);
  });

  test("but it continues when another session of the user ends, or their name is changed", async () => {
    const admin = await newAdmin();
    const login = { email: admin.user?.email, password: testPassword };
    const second = await host.visitor().call("POST", "/api/auth/login", login);
    const cookie = second.headers.getSetCookie().find((value) => value.startsWith("sid=")) ?? "";
    const stream = await listen(admin);
    await stream.begun();
    const ended = await host.visitor().call("POST", "/api/auth/logout", undefined, { cookie });
    expect(ended.status).toBe(200);
    expect((await admin.call("PUT", "/api/account/name", { name: "Another" })).status).toBe(200);
    const actions = await write(1);
    expect(await stream.until((text) => text.includes(actions[0] ?? "none"))).toBe(true);
  });
});

test("S1: no cookie, password or token from an email passes through the stream", async () => {
  const admin = await newAdmin();
  const stream = await listen(await newAdmin());
  await stream.begun();
  const canary = `canary-${crypto.randomUUID()}`;
  const token = "A".repeat(43);
  const visitor = host.visitor();
  await visitor.call("POST", "/api/auth/login", { email: "nobody@example.test", password: canary });
  await visitor.call("POST", `/api/auth/reset-password/${token}`, { password: canary });
  await visitor.call("GET", `/api/admin/users?search=${canary}`);
  await admin.call("PUT", "/api/account/password", { currentPassword: testPassword, newPassword: canary });
  await admin.call("PUT", `/api/admin/users/${token}/role`, { role: canary });
  const [last = ""] = await write(1);
  await stream.until((text) => text.includes(last));
  for (const secret of [canary, token, testPassword, admin.cookie?.split("=")[1] ?? "none"])
    expect(stream.text).not.toContain(secret);
});

test("A2: any number of events about a listener costs a few looks, and a revocation among them still ends the stream", async () => {
  const [admin, other] = [await host.signedIn("admin"), await host.signedIn("admin")];
  const stream = readStream(await admin.call("GET", "/api/admin/activity/stream"));
  await stream.begun();
  const looks = spyOn(host.services.lookups, "select");
  try {
    const userId = admin.user?.id ?? "";
    const flood = () => {
      for (let told = 0; told < 2_000; told += 1)
        host.services.events.publish({ type: "user-changed", userId });
    };
    flood();
    await until(() => looks.mock.calls.length > 0);
    flood();
    const demotion = await other.call("PUT", `/api/admin/users/${userId}/role`, { role: "user" });
    expect(demotion.status).toBe(200);
    flood();
    await stream.ended();
    expect(looks.mock.calls.length).toBeLessThan(20);
  } finally {
    looks.mockRestore();
  }
});

const listenByToken = async (client: TokenClient): Promise<LiveStream> => {
  const stream = readStream(await client.call("GET", "/api/admin/activity/stream?type=file_write"));
  await stream.begun();
  return stream;
};

const record = async (action: string): Promise<void> => {
  noteActivity(operator, { type: "file_write", action });
  await host.services.activity.settle();
};

const edit = (id: string, change: Partial<typeof apiTokens.$inferInsert>) =>
  host.db.update(apiTokens).set(change).where(eq(apiTokens.id, id));

describe("A2: the live stream of an API token ends before another row is sent once", () => {
  const actions: [string, (client: TokenClient, ownerId: string) => Promise<unknown>][] = [
    [
      "it is revoked",
      async ({ made }) => {
        const other = await newTokenClient(host);
        expect((await other.call("POST", `/api/admin/tokens/${made.id}/revoke`, {})).status).toBe(200);
      },
    ],
    [
      "another process revoked it, of which no message came",
      ({ made }) => edit(made.id, { revokedAt: new Date() }),
    ],
    ["it runs out", ({ made }) => edit(made.id, { expiresAt: host.clock.now() })],
    [
      "another process removed its owner's rights",
      (_, id) => host.db.update(users).set({ role: "user" }).where(eq(users.id, id)),
    ],
  ];
  for (const [name, happen] of actions)
    test(name, async () => {
      const owner = (await host.signedIn("admin")).user;
      const [client, control] = [await newTokenClient(host, { owner }), await newTokenClient(host)];
      const [stream, goesOn] = [await listenByToken(client), await listenByToken(control)];
      // Repeats of a minute would be counted together.
      const [before, after] = [`Before ${name}`, `After ${name}`];
      await record(before);
      expect(await stream.actions(1)).toEqual([before]);
      await happen(client, owner?.id ?? "");
      await record(after);
      await stream.ended();
      expect(stream.text).not.toContain(after);
      expect(await goesOn.actions(2)).toEqual([before, after]);
      await goesOn.close();
    });
});
