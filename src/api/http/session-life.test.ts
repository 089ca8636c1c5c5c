import { beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hashToken } from "#api/core/ids.ts";
import { sessions } from "#api/db/schema.ts";
import { withCookieOf } from "#api/testing/browsers.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { type TestClient, testPassword } from "#api/testing/host.ts";
import { readStream } from "#api/testing/live-stream.ts";
import { until } from "#api/testing/until.ts";
import { accountSettings } from "#contract/core-settings.ts";
import { backgroundHeader } from "#contract/proof.ts";

const settings = createFixedSettings();
const host = await hostForFile({ settings });
beforeEach(() => settings.setAccounts(accountSettings.defaults));

const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const storedSession = async (client: TestClient) => {
  const tokenHash = hashToken(client.cookie?.split("=")[1] ?? "");
  const [row] = await host.db.select().from(sessions).where(eq(sessions.tokenHash, tokenHash));
  return row;
};
const statusFor = async (client: TestClient) => (await client.call("GET", "/api/auth/user")).status;

describe("A5: a session", () => {
  test("unused for thirty days ends, even if it is cached", async () => {
    const client = await host.signedIn("user");
    expect(await statusFor(client)).toBe(200);
    host.clock.advance(30 * dayMs - 1);
    expect((await storedSession(client))?.expiresAt.getTime()).toBe(host.clock.now().getTime() + 1);
    host.clock.advance(1);
    expect(await statusFor(client)).toBe(401);
  });

  test("in use lasts beyond thirty days, but no longer than 180, and so does the browser's cookie", async () => {
    const client = await host.signedIn("user");
    const kept: (string | null)[] = [];
    for (let days = 20; days < 180; days += 20) {
      host.clock.advance(20 * dayMs);
      const answer = await client.call("GET", "/api/auth/user");
      kept.push(answer.headers.get("set-cookie"));
    }
    const days = [30, 30, 30, 30, 30, 30, 30, 20];
    expect(kept).toEqual(days.map((left) => renewed(client, left * dayMs)));
    host.clock.advance(20 * dayMs - 1);
    expect(await statusFor(client)).toBe(200);
    host.clock.advance(1);
    expect(await statusFor(client)).toBe(401);
  });

  test("is never renewed by a response that caches may share", async () => {
    const client = await host.signedIn("user");
    host.clock.advance(2 * dayMs);
    for (const file of [
      "/robots.txt",
      "/sitemap.xml",
      "/favicon.ico",
      "/manifest.webmanifest",
      "/assets/a.js",
    ]) {
      expect((await client.call("GET", file)).headers.get("set-cookie")).toBeNull();
    }
    expect((await client.call("GET", "/about")).headers.get("set-cookie")).toContain(client.cookie ?? "");
  });

  test("is recorded as used at most once a minute", async () => {
    const client = await host.signedIn("user");
    const begun = host.clock.now();
    for (let second = 0; second < 59; second += 1) {
      host.clock.advance(1000);
      expect(await statusFor(client)).toBe(200);
    }
    expect((await storedSession(client))?.lastUsedAt).toEqual(begun);
    host.clock.advance(1000);
    await statusFor(client);
    await until(
      async () => (await storedSession(client))?.lastUsedAt.getTime() === host.clock.now().getTime(),
    );
  });

  test("survives a clock that steps back an hour", async () => {
    const client = await host.signedIn("user");
    host.clock.advance(-hourMs);
    expect(await statusFor(client)).toBe(200);
    host.clock.advance(hourMs);
    expect(await statusFor(client)).toBe(200);
  });
});

const renewed = (client: TestClient, lifeMs: number) =>
  `${client.cookie}; Path=/; Max-Age=${lifeMs / 1000}; HttpOnly; SameSite=Lax`;

const change = (times: Partial<Record<"adminIdleMinutes" | "adminSessionHours", number>>) =>
  settings.setAccounts({ ...accountSettings.defaults, ...times });

describe("A5: an admin's session", () => {
  test("unused for half an hour ends; in use it lasts half a day, with its cookie", async () => {
    const client = await host.signedIn("admin");
    host.clock.advance(30 * minuteMs - 1);
    const answer = await client.call("GET", "/api/admin");
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([
      ...[200, renewed(client, 30 * minuteMs)],
    ]);
    for (let hours = 0.5; hours < 12; hours += 0.25) {
      expect(await statusFor(client)).toBe(200);
      host.clock.advance(15 * minuteMs);
    }
    expect(await statusFor(client)).toBe(401);
    const idle = await host.signedIn("admin");
    host.clock.advance(30 * minuteMs);
    expect(await statusFor(idle)).toBe(401);
  });

  test("ends as the settings say now, shorter ones also for what has begun; longer ones bring nothing back", async () => {
    const client = await host.signedIn("admin");
    const byLength = await host.signedIn("admin");
    host.clock.advance(10 * minuteMs);
    change({ adminIdleMinutes: 11 });
    await statusFor(byLength);
    host.clock.advance(minuteMs);
    expect(await statusFor(client)).toBe(401);
    const shown = await byLength.call("GET", `/api/admin/users/${client.user?.id}`);
    expect((await shown.json()).data).toMatchObject({ sessionCount: 0, sessions: [] });
    change({ adminIdleMinutes: 1_440 });
    for (let minutes = 11; minutes < 60; minutes += 7) {
      host.clock.advance(7 * minuteMs);
      await statusFor(byLength);
    }
    change({ adminIdleMinutes: 1_440, adminSessionHours: 1 });
    expect(await statusFor(byLength)).toBe(401);
    const short = await host.signedIn("admin");
    host.clock.advance(hourMs);
    change({ adminIdleMinutes: 1_440, adminSessionHours: 2 });
    expect(await statusFor(short)).toBe(401);
  });

  test("is not used by what a page does automatically, nor by a stream, which ends with it", async () => {
    const client = await host.signedIn("admin");
    const stream = readStream(await client.call("GET", "/api/admin/activity/stream", undefined, streaming));
    for (let minutes = 0; minutes < 30; minutes += 5) {
      const answer = await client.call("GET", "/api/admin", undefined, { [backgroundHeader]: "1" });
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([200, null]);
      host.clock.advance(5 * minuteMs);
    }
    expect(await statusFor(client)).toBe(401);
    host.services.events.publish({ type: "user-changed", userId: client.user?.id ?? "" });
    await stream.ended();
  });

  test("that is confirmed ends no later for it, and says when", async () => {
    const client = await host.signedIn("admin");
    const begunMs = host.clock.now().getTime();
    host.clock.advance(20 * minuteMs);
    const answer = await client.call("POST", "/api/account/confirm", { password: testPassword });
    const confirmed = withCookieOf(client, answer);
    expect((await (await confirmed.call("GET", "/api/account/session")).json()).data).toEqual({
      now: host.clock.now().toISOString(),
      idleEndsAt: new Date(begunMs + 50 * minuteMs).toISOString(),
      endsAt: new Date(begunMs + 12 * hourMs).toISOString(),
      factorRequiredBy: null,
      confirmedUntil: new Date(begunMs + 30 * minuteMs).toISOString(),
    });
  });
});

const streaming = { accept: "text/event-stream" };
