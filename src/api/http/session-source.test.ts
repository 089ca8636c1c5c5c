import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hashToken } from "#api/core/ids.ts";
import { sessions, users } from "#api/db/schema.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost, type TestClient } from "#api/testing/host.ts";
import { until } from "#api/testing/until.ts";
import { createSessionSource } from "./credentials.ts";

const host = await hostForFile();

const tokenOf = (client: TestClient): string => client.cookie?.split("=")[1] ?? "";
const dayMs = 24 * 60 * 60 * 1000;

describe("sessions between the cookie and the database", () => {
  test("a remembered session answers without a promise, an unknown token is null", async () => {
    const source = createSessionSource(host.services);
    const token = tokenOf(await host.signedIn("user"));
    expect((await source.find(token))?.user.role).toBe("user");
    expect(source.find(token)).not.toBeInstanceOf(Promise);
    expect(await source.find("x".repeat(43))).toBeNull();
    source.stop();
  });

  test("a change of the user counts on the very next request", async () => {
    const client = await host.signedIn("admin");
    expect((await client.call("GET", "/api/admin")).status).toBe(200);
    const id = client.user?.id ?? "";
    await host.db.update(users).set({ role: "user" }).where(eq(users.id, id));
    host.services.events.publish({ type: "user-changed", userId: id });
    expect((await client.call("GET", "/api/admin")).status).toBe(403);
    await host.db.update(users).set({ disabledAt: host.clock.now() }).where(eq(users.id, id));
    host.services.events.publish({ type: "user-changed", userId: id });
    expect((await client.call("GET", "/api/auth/user")).status).toBe(401);
  });

  test("while events of others do not arrive, every request reads the database", async () => {
    const client = await host.signedIn("user");
    const deaf = createSessionSource({
      ...host.services,
      events: { ...host.services.events, isConnected: false },
    });
    const token = tokenOf(client);
    expect(await deaf.find(token)).not.toBeNull();
    await host.db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)));
    expect(await deaf.find(token)).toBeNull();
    deaf.stop();
  });

  test("a look-up that began before a change is not remembered after it", async () => {
    const client = await host.signedIn("user");
    const source = createSessionSource(host.services);
    const slow = source.find(tokenOf(client));
    host.services.events.publish({ type: "sessions-ended", userId: client.user?.id ?? "" });
    await slow;
    expect(source.find(tokenOf(client))).toBeInstanceOf(Promise);
    source.stop();
  });

  test("after a gap in which events may have been missed, nothing remembered is used", async () => {
    const client = await host.signedIn("user");
    const gaps: (() => void)[] = [];
    const subscribe = (_listener: unknown, onGap?: () => void) => {
      if (onGap) gaps.push(onGap);
      return () => {};
    };
    const source = createSessionSource({ ...host.services, events: { ...host.services.events, subscribe } });
    const token = tokenOf(client);
    await source.find(token);
    await host.db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)));
    expect(await source.find(token)).not.toBeNull();
    for (const close of gaps) close();
    expect(await source.find(token)).toBeNull();
    source.stop();
  });

  test("of thousands of sessions used while the database is late, one statement is under way and a bounded number waits", async () => {
    const client = await host.signedIn("user");
    const { promise: late, resolve: letGo } = Promise.withResolvers<void>();
    let asked = 0;
    const execute = async (): Promise<void> => {
      asked += 1;
      await late;
    };
    const db = new Proxy(host.db, {
      get: (target, name) => (name === "execute" ? execute : Reflect.get(target, name)),
    });
    const source = createSessionSource({ ...host.services, db });
    const found = await source.find(tokenOf(client));
    if (found === null) throw new Error("the session was not found");
    const lastUsedAt = new Date(host.clock.now().getTime() - dayMs);
    const all = Array.from({ length: 12_000 }, (_, n) => ({ ...found, tokenHash: `hash ${n}`, lastUsedAt }));
    for (const session of all) source.touch(session);
    expect(asked).toBe(1);
    // One left at once, 10,000 wait; the others are touched by their next request.
    expect(all.filter((session) => session.lastUsedAt !== lastUsedAt)).toBeArrayOfSize(10_001);
    letGo();
    await until(() => asked === 11);
    expect(source.touch({ ...found, tokenHash: "next", lastUsedAt })).toBeBoolean();
    await until(() => asked === 12);
    source.stop();
  });

  test("a session ends 30 days after its last use, and use within them moves the end", async () => {
    const own = await createTestHost();
    try {
      const used = await own.signedIn("user");
      const unused = await own.signedIn("user");
      own.clock.advance(29 * dayMs);
      const response = await used.call("GET", "/api/auth/user");
      expect(response.status).toBe(200);
      expect(response.headers.get("set-cookie")).toStartWith(`${used.cookie}; Path=/; Max-Age=2592000`);
      // The end is moved beside the request.
      const id = used.user?.id ?? "";
      for (let tries = 0; tries < 100; tries += 1) {
        const [row] = await own.db.select().from(sessions).where(eq(sessions.userId, id));
        if (row && row.expiresAt.getTime() > own.clock.now().getTime() + 2 * dayMs) break;
        await Bun.sleep(5);
      }
      own.clock.advance(2 * dayMs);
      expect((await used.call("GET", "/api/auth/user")).status).toBe(200);
      expect((await unused.call("GET", "/api/auth/user")).status).toBe(401);
    } finally {
      await own.close();
    }
  });
});
