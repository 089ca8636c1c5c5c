import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hashToken } from "#api/core/ids.ts";
import { sessions } from "#api/db/schema.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { until } from "#api/testing/until.ts";
import { createSessionSource } from "./credentials.ts";

const host = await hostForFile();

const tokenOf = (client: TestClient): string => client.cookie?.split("=")[1] ?? "";
const dayMs = 24 * 60 * 60 * 1000;

describe("sessions between the cookie and the database", () => {
  test("a cached session is returned without a promise, and an unknown token gives null", async () => {
    const source = createSessionSource(host.services);
    const token = tokenOf(await host.signedIn("user"));
    expect((await source.find(token))?.user.role).toBe("user");
    expect(source.find(token)).not.toBeInstanceOf(Promise);
    expect(await source.find("x".repeat(43))).toBeNull();
    source.stop();
  });

  test("a lookup that started before a change is not cached after it", async () => {
    const client = await host.signedIn("user");
    const source = createSessionSource(host.services);
    const slow = source.find(tokenOf(client));
    host.services.events.publish({ type: "sessions-ended", userId: client.user?.id ?? "" });
    await slow;
    expect(source.find(tokenOf(client))).toBeInstanceOf(Promise);
    source.stop();
  });

  test("after a gap in which events may have been missed, no cached session is used", async () => {
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

  test("of thousands of sessions used while the database is slow, one statement is under way and a limited number waits", async () => {
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
});
