import { afterAll, expect, test } from "bun:test";
import type { Server } from "bun";
import { sql } from "drizzle-orm";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { until } from "#api/testing/until.ts";
import { announceSetupLink, startingAnswer } from "./listen.ts";
import { holdRequests } from "./serve.ts";

const database = await databaseForFile();

test("until it is ready the server reports that it is alive, and answers everything else that it is starting", async () => {
  const at = (path: string) => startingAnswer(new Request(`http://localhost:3000${path}`));
  expect(await at("/api/health").json()).toEqual({ success: true, status: "alive" });
  for (const path of ["/api/ready", "/", "/api/auth/user?x=1"]) {
    const answer = at(path);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toMatchObject({
      success: false,
      code: "STARTING",
      data: { status: "starting" },
    });
  }
});

test("H2: malformed addresses are answered like all others", async () => {
  for (const url of ["http://x:99999/%zz", "http://[bad/", "http://localhost//x"]) {
    const answer = startingAnswer({ url });
    expect([url, answer.status, (await answer.json()).code]).toEqual([url, 503, "STARTING"]);
  }
});

const listeners: Server<undefined>[] = [];
afterAll(() => Promise.all(listeners.map((listener) => listener.stop(true))));

const listen = (): Server<undefined> => {
  const listener = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: startingAnswer });
  listeners.push(listener);
  return listener;
};

test("requests that arrive before the app is ready wait for it, and keep their address and body", async () => {
  const listener = listen();
  const admit = holdRequests(listener);
  const early = fetch(listener.url, { method: "POST", body: "hello" });
  while (listener.pendingRequests === 0) await Bun.sleep(1);
  admit(async (request, server) => Response.json([server.requestIP(request)?.address, await request.text()]));
  expect(await (await early).json()).toEqual(["127.0.0.1", "hello"]);
  const later = await fetch(listener.url, { method: "POST", body: "again" });
  expect(await later.json()).toEqual(["127.0.0.1", "again"]);
});

test("requests that waited too long are told that the server is starting, and can be repeated", async () => {
  const listener = listen();
  const admit = holdRequests(listener, 20);
  expect((await fetch(listener.url)).status).toBe(503);
  admit(() => new Response("here"));
  expect(await (await fetch(listener.url)).text()).toBe("here");
});

const link = expect.stringMatching(/^http:\/\/localhost:3000\/setup\?token=[\w-]{43}$/);

test("the setup link of an installation without users is known after the first attempt", async () => {
  const links: string[] = [];
  const end = await announceSetupLink(testContext(database), { tell: (told) => links.push(told) });
  end();
  expect(links).toEqual([link]);
});

test("if the database does not answer, the setup link is tried again, which is logged", async () => {
  const links: string[] = [];
  const ctx = testContext(database);
  await database.db.execute(sql`alter table users rename to users_away`);
  const end = await announceSetupLink(ctx, { tell: (told) => links.push(told), retryMs: 20 });
  expect(links).toEqual([]);
  await database.db.execute(sql`alter table users_away rename to users`);
  await until(() => links.length > 0);
  end();
  expect(links).toEqual([link]);
  expect(ctx.logged[0]).toMatchObject({
    level: "warn",
    message: "the link for the first admin could not be created yet",
  });
});
