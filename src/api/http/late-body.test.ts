import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#api/db/schema.ts";
import { createTraffic } from "#api/plugin-host/native/native-host.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { type TestClient, testOrigin, testPassword } from "#api/testing/host.ts";
import { limits } from "#contract/limits.ts";
import { noPlugins } from "./plugin-entrance.ts";

const traffic = createTraffic(() => undefined);
const host = await hostForFile({ entrance: () => ({ ...noPlugins, traffic }) });

/** Begins a call whose body ends only when `finish` is called. */
const begin = (client: TestClient, path: string, body: unknown) => {
  const text = JSON.stringify(body);
  let finish = () => {};
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(text.slice(0, 10)));
      finish = () => {
        controller.enqueue(new TextEncoder().encode(text.slice(10)));
        controller.close();
      };
    },
  });
  const answer = host.request(path, {
    method: "POST",
    headers: {
      origin: testOrigin,
      "sec-fetch-site": "same-origin",
      "content-type": "application/json",
      cookie: client.cookie ?? "",
    },
    body: stream,
  });
  return { answer, finish: () => finish() };
};

const backdoor = { name: "Back Door", email: "back@door.example", password: testPassword, role: "admin" };
const path = (client: TestClient) => `/api/admin/users/${client.user?.id}`;

test.each([
  [
    "demoted",
    401,
    (client: TestClient, by: TestClient) => by.call("PUT", `${path(client)}/role`, { role: "user" }),
  ],
  ["signed out", 401, (client: TestClient) => client.call("POST", "/api/auth/logout")],
] as const)(
  "Z4: an admin who is %s while the body of a request arrives changes nothing",
  async (_title, status, end) => {
    const [rogue, admin] = [await host.signedIn("admin"), await host.signedIn("admin")];
    const { answer, finish } = begin(rogue, "/api/admin/users", backdoor);
    expect((await end(rogue, admin)).status).toBe(200);
    const before = await contentsOf(host.db);
    finish();
    expect((await answer).status).toBe(status);
    expect(await contentsOf(host.db)).toEqual(before);
  },
);

test("Z4: a sign-in that becomes too old while the body arrives is no longer a recent one", async () => {
  const admin = await host.signedIn("admin");
  const { answer, finish } = begin(admin, "/api/admin/users", backdoor);
  // By then the call has come as far as its body.
  expect((await admin.call("GET", "/api/auth/user")).status).toBe(200);
  host.clock.advance(limits.freshSessionMs);
  const before = await host.db.$count(users);
  finish();
  expect(await (await answer).json()).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
  // The lookup of the session notes when it was used.
  expect(await host.db.$count(users)).toBe(before);
});

test("Z4: a role that another process took away counts for a body that arrives later", async () => {
  const rogue = await host.signedIn("admin");
  const { answer, finish } = begin(rogue, "/api/admin/users", backdoor);
  const id = rogue.user?.id ?? "";
  await host.db.update(users).set({ role: "user" }).where(eq(users.id, id));
  host.services.events.publish({ type: "user-changed", userId: id });
  finish();
  expect((await answer).status).toBe(403);
});

test("a slow body of a user whose rights did not change is processed", async () => {
  const admin = await host.signedIn("admin");
  const { answer, finish } = begin(admin, "/api/admin/users", { ...backdoor, email: "front@door.example" });
  finish();
  expect((await answer).status).toBe(201);
});

test("a session that was confirmed while a body arrived does not get its previous cookie again", async () => {
  const member = await host.signedIn("user");
  host.clock.advance(2 * 86_400_000);
  const message = { name: "Ada", email: "ada@example.com", subject: "Sales", message: "Good morning to you" };
  const { answer, finish } = begin(member, "/api/contact", message);
  const confirmed = await host.request("/api/account/confirm", {
    method: "POST",
    headers: {
      ...{ origin: testOrigin, "sec-fetch-site": "same-origin" },
      ...{ "content-type": "application/json", cookie: member.cookie ?? "" },
    },
    body: JSON.stringify({ password: testPassword }),
  });
  expect([confirmed.status, confirmed.headers.get("set-cookie") !== null]).toEqual([200, true]);
  finish();
  expect((await answer).headers.get("set-cookie")).toBeNull();
});

test("Z4: where a plugin waits for a slow body, session and proof are judged by when it is there", async () => {
  traffic.set("watch", { inspector: { isIdle: false, bodyBytes: () => 1_000 }, shaper: null });
  const admin = await host.signedIn("admin");
  const member = await host.signedIn("user");

  const disable = begin(admin, `${path(member)}/disable`, {});
  host.clock.advance(limits.freshSessionMs);
  disable.finish();
  expect(await (await disable.answer).json()).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });

  const idle = await host.signedIn("admin");
  host.clock.advance(host.services.settings.current.accounts.adminIdleMinutes * 60_000 - 1_000);
  const retry = begin(idle, "/api/admin/mails/retry", {});
  host.clock.advance(2_000);
  expect((await idle.call("GET", "/api/auth/user")).status).toBe(401);
  retry.finish();
  expect((await retry.answer).status).toBe(401);
  expect((await idle.call("GET", "/api/auth/user")).status).toBe(401);
  traffic.remove("watch");
});
