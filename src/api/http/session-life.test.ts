import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hashToken } from "#api/core/ids.ts";
import { sessions } from "#api/db/schema.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { until } from "#api/testing/until.ts";

const host = await hostForFile();

const hourMs = 60 * 60 * 1000;
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

  test("in use lasts beyond thirty days, and so does the browser's cookie", async () => {
    const client = await host.signedIn("admin");
    const renewals: boolean[] = [];
    for (let week = 0; week < 10; week += 1) {
      host.clock.advance(7 * dayMs);
      const answer = await client.call("GET", "/api/admin");
      expect(answer.status).toBe(200);
      renewals.push(answer.headers.get("set-cookie") === `${client.cookie}; ${renewed}`);
    }
    expect(renewals).toEqual(Array.from({ length: 10 }, () => true));
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

const renewed = "Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax";
