import { afterAll, expect, test } from "bun:test";
import type { Server } from "bun";
import { holdRequests } from "./serve.ts";
import { startingAnswer } from "./starting-answer.ts";

const listeners: Server<undefined>[] = [];
afterAll(() => Promise.all(listeners.map((listener) => listener.stop(true))));

const listen = (): Server<undefined> => {
  const listener = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: startingAnswer });
  listeners.push(listener);
  return listener;
};

test("who comes before the app is put together waits for its answer, address and body kept", async () => {
  const listener = listen();
  const admit = holdRequests(listener);
  const early = fetch(listener.url, { method: "POST", body: "hello" });
  while (listener.pendingRequests === 0) await Bun.sleep(1);
  admit(async (request, server) => Response.json([server.requestIP(request)?.address, await request.text()]));
  expect(await (await early).json()).toEqual(["127.0.0.1", "hello"]);
  const later = await fetch(listener.url, { method: "POST", body: "again" });
  expect(await later.json()).toEqual(["127.0.0.1", "again"]);
});

test("who has waited for too long is told that the server starts, and may come again", async () => {
  const listener = listen();
  const admit = holdRequests(listener, 20);
  expect((await fetch(listener.url)).status).toBe(503);
  admit(() => new Response("here"));
  expect(await (await fetch(listener.url)).text()).toBe("here");
});
