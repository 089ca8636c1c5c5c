import { afterAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Services } from "#api/core/context.ts";
import { hashToken } from "#api/core/ids.ts";
import { sessions } from "#api/db/schema.ts";
import { createSessionSource } from "#api/http/credentials.ts";
import { signInAgain } from "#api/testing/browsers.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { type TestClient, testPassword } from "#api/testing/host.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { until } from "#api/testing/until.ts";

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

const deaf: Services = { ...host.services, events: { ...host.services.events, isConnected: false } };
const late: Services = {
  ...host.services,
  database: { ...host.services.database, kind: "postgres" },
  events: { ...host.services.events, subscribe: () => () => {} },
};
/** What other processes remember: one that hears events, one that knows that it hears none, and one whose are on their way. */
const others = [
  { name: "another process", source: createSessionSource(host.services) },
  { name: "a process without events", source: createSessionSource(deaf) },
  { name: "a process on the same server that has heard nothing yet", source: createSessionSource(late) },
];
afterAll(async () => {
  for (const { source } of others) source.stop();
});

const expectDone = async (answer: Promise<Response>) => {
  const { status } = await answer;
  expect([200, 201]).toContain(status);
};

/** Mails the person a link to a new password and follows it. */
const resetPassword = async (person: TestClient) => {
  const visitor = host.visitor();
  await expectDone(visitor.call("POST", "/api/auth/forgot-password", { email: person.user?.email }));
  const link = host.mails.findLast(({ to }) => to === person.user?.email)?.link ?? "";
  const token = new URL(link).searchParams.get("token");
  await expectDone(
    visitor.call("POST", `/api/auth/reset-password/${token}`, { password: "another-fine-battery" }),
  );
};

const sessionsPath = "/api/account/sessions";
/** The same user in another browser, and the id of the session that they ended it from there by. */
const elsewhere = async (person: TestClient) => {
  const other = await signInAgain(host, person);
  const { data } = await (await other.call("GET", sessionsPath)).json();
  return { other, id: data.sessions.find((session: { isCurrent: boolean }) => !session.isCurrent).id };
};

type End = (person: TestClient, admin: TestClient) => Promise<void>;
const path = (person: TestClient) => `/api/admin/users/${person.user?.id}`;

/** What ends the session that a person holds. */
const ends: [string, End][] = [
  ["signing out", (person) => expectDone(person.call("POST", "/api/auth/logout"))],
  [
    "its end from another browser",
    async (person) => {
      const { other, id } = await elsewhere(person);
      await expectDone(other.call("DELETE", `${sessionsPath}/${id}`));
    },
  ],
  [
    "the end of all others from another browser",
    async (person) => expectDone((await elsewhere(person)).other.call("DELETE", sessionsPath)),
  ],
  ["a password reset", resetPassword],
  [
    "a changed password",
    (person) =>
      expectDone(
        person.call("PUT", "/api/account/password", {
          currentPassword: testPassword,
          newPassword: "another-fine-battery",
        }),
      ),
  ],
  ["an admin's disabling", (person, admin) => expectDone(admin.call("POST", `${path(person)}/disable`))],
  [
    "a changed role",
    (person, admin) => expectDone(admin.call("PUT", `${path(person)}/role`, { role: "admin" })),
  ],
  ["an admin's ending", (person, admin) => expectDone(admin.call("DELETE", `${path(person)}/sessions`))],
  ["an admin's deleting", (person, admin) => expectDone(admin.call("DELETE", path(person)))],
  [
    "deleting the own account",
    (person) => expectDone(person.call("DELETE", "/api/account", { password: testPassword })),
  ],
];

describe("A2: the next request is refused after", () => {
  for (const [name, end] of ends)
    test(name, async () => {
      const [person, admin] = [await host.signedIn("user"), await host.signedIn("admin")];
      const token = tokenOf(person);
      expect((await person.call("GET", "/api/auth/user")).status).toBe(200);
      for (const { source } of others) expect(await source.find(token)).not.toBeNull();
      await end(person, admin);
      expect((await person.call("GET", "/api/auth/user")).status).toBe(401);
      for (const other of others)
        expect([other.name, await other.source.find(token)]).toEqual([other.name, null]);
    });
});

test("A2: an API token that a user created since an emailed link was last followed is refused after a password reset", async () => {
  const admin = await host.signedIn("admin");
  const script = await newTokenClient(host, { owner: admin.user });
  const status = async () => (await script.call("GET", "/api/system/info")).status;
  expect([await status(), await status()]).toEqual([200, 200]);
  await resetPassword(admin);
  expect(await status()).toBe(401);
});

test("Z4: two browsers of one admin lose their rights immediately, in the middle of their sessions", async () => {
  const [first, admin] = [await host.signedIn("admin"), await host.signedIn("admin")];
  const again = await host
    .visitor()
    .call("POST", "/api/auth/login", { email: first.user?.email, password: testPassword });
  const cookie =
    again.headers
      .getSetCookie()
      .find((value) => value.startsWith("sid="))
      ?.split(";")[0] ?? "";
  const second = (method: string, at: string) => host.visitor().call(method, at, undefined, { cookie });
  expect((await second("GET", "/api/admin/users")).status).toBe(200);
  await expectDone(admin.call("PUT", `${path(first)}/role`, { role: "user" }));
  expect((await second("GET", "/api/admin/users")).status).toBe(401);
  expect((await first.call("GET", "/api/admin/users")).status).toBe(401);
});
