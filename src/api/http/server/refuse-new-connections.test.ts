import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { mayFilter } from "#api/testing/may-filter.ts";
import { refuseNewConnections } from "./listen.ts";

const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/** What becomes of a socket first: it connects, answers, or says why not. */
const fate = (socket: Socket, event: "connect" | "data"): Promise<string> =>
  new Promise((resolve) => {
    socket.once(event, () => resolve(event));
    socket.once("error", (error) => resolve(String(Reflect.get(error, "code"))));
  });

for (const hostname of ["127.0.0.1", "::1"]) {
  test(`X5: ${hostname}: new connections wait and are refused, never reset; connected clients get their response`, async () => {
    const server = Bun.serve({ port: 0, hostname, fetch: () => new Response("here") });
    const other = Bun.serve({ port: 0, hostname, fetch: () => new Response("there") });
    const port = Number(server.port);
    const before = connect(port, hostname);
    expect(await fate(before, "connect")).toBe("connect");

    const isTold = refuseNewConnections(port);
    if (mayFilter()) expect(isTold).toBe(true);

    before.write(request);
    expect(await fate(before, "data")).toBe("data");
    // Through the handshake before the door can be closed, where the system was not told.
    const after = connect(port, hostname);
    let meanwhile = "waits";
    const afterwards = fate(after, "connect").then((what) => {
      meanwhile = what;
      return what;
    });
    // Another door of the same process stays open. Who asks there afterwards is answered sooner.
    expect(await (await fetch(other.url, { keepalive: false })).text()).toBe("there");
    expect(meanwhile).toBe(isTold ? "waits" : "connect");

    await server.stop(true);
    if (isTold) expect(await afterwards).toBe("ECONNREFUSED");
    for (const socket of [before, after]) socket.destroy();
    await other.stop(true);
  });
}

test("a port that this process does not listen on is left alone", async () => {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("here") });
  const port = Number(server.port);
  expect(refuseNewConnections(port === 65_535 ? port - 1 : port + 1)).toBe(false);
  expect(await (await fetch(server.url)).text()).toBe("here");
  await server.stop(true);
});
