import { afterEach, expect, test } from "bun:test";
import { connect, createServer, type Server as TcpServer } from "node:net";
import type { Server } from "bun";
import { listenAfterDrain, listenAlone, PortInUseError } from "./listen.ts";

const servers: Server<undefined>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

const kept = (server: Server<undefined>): Server<undefined> => {
  servers.push(server);
  return server;
};
const place = { hostname: "127.0.0.1", variable: "PORT", maxRequestBodySize: 1_024 };
const listen = (port: number) => kept(listenAlone({ ...place, port, fetch: () => new Response("mine") }));
const portOf = ({ port }: Server<undefined>): number => port ?? 0;
const refusalOf = (error: unknown): string => {
  expect(error).toBeInstanceOf(PortInUseError);
  return String(error);
};
const refused = (port: number): string => {
  try {
    listen(port);
  } catch (error) {
    return refusalOf(error);
  }
  throw new Error("two listen on one port");
};

test("X2: a port is not shared, not even with a server that would share it, and its holder is named", () => {
  const first = portOf(listen(0));
  expect(refused(first)).toContain(`port ${first} on 127.0.0.1 is in use`);
  if (process.platform === "linux") expect(refused(first)).toContain(`by pid ${process.pid} (`);
  expect(refused(first)).toEndWith("choose another port with PORT");
  const sharing = { hostname: "127.0.0.1", port: 0, reusePort: true, fetch: () => new Response("theirs") };
  expect(refused(portOf(kept(Bun.serve(sharing))))).toContain("is in use");
});

test("X2: a port is free again as soon as it was closed, also while clients are connected", async () => {
  const first = listen(0);
  const port = portOf(first);
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("mine");
  await first.stop(true);
  expect(portOf(listen(port))).toBe(port);
});

const listening = async (server: TcpServer): Promise<{ server: TcpServer; port: number }> => {
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return { server, port: Number(Object(server.address()).port) };
};

const takeAfterDrain = async (port: number) =>
  kept(await listenAfterDrain({ ...place, port, fetch: () => new Response("mine") }));

test("X2: a server that is stopping is waited for", async () => {
  const draining = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ code: "SHUTTING_DOWN" }, { status: 503 }),
  });
  const port = portOf(draining);
  let hasEnded = false;
  setTimeout(() => {
    hasEnded = true;
    void draining.stop(true);
  }, 500);
  const taken = await takeAfterDrain(port);
  expect([hasEnded, taken.port]).toEqual([true, port]);
});

test("X2: no other program on the port is waited for", async () => {
  const healthy = kept(Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({}) }));
  const rude = await listening(createServer((socket) => socket.destroy()));
  const silent = await listening(createServer());
  for (const port of [portOf(healthy), rude.port, silent.port]) {
    const begunAt = performance.now();
    refusalOf(await takeAfterDrain(port).catch((error: unknown) => error));
    // A draining one would be waited for twelve.
    expect(performance.now() - begunAt).toBeLessThan(4_000);
  }
  for (const { server } of [rude, silent]) server.close();
});

test("T3: the runtime still drops the authority of an absolute target; once it does not, the Host rule has to look at it", async () => {
  const server = kept(listenAlone({ ...place, port: 0, fetch: ({ url }) => new Response(url) }));
  const socket = connect(portOf(server), "127.0.0.1");
  socket.write("GET http://evil.example/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toEndWith("http://localhost/x");
});
