import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { mayFilter } from "#api/testing/may-filter.ts";
import { until } from "#api/testing/until.ts";
import { dataPlaces } from "../driver/databases.ts";
import { signedInPeople } from "../driver/people.ts";
import { createPerson } from "../driver/person.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";

const started: ServerProcess[] = [];

/** A server that does not outlive its test, however that ends. */
const startOwn = async (env: Record<string, string> = {}): Promise<ServerProcess> => {
  const server = await startServer({ env });
  started.push(server);
  return server;
};

afterEach(async () => {
  for (const server of started.splice(0)) {
    await server.stop("SIGKILL");
    removeFolder(server.dataDir);
  }
});

/** Ten requests: probes, pages, reads of someone signed in, and a write of theirs. */
const kinds = "health page health session page health page write session health".split(" ");

/** Someone signed in, as the headers of a browser. */
const memberOf = async (server: ServerProcess): Promise<Record<string, string>> => {
  const { user } = await signedInPeople(server);
  return { cookie: user, origin: server.url, "sec-fetch-site": "same-origin" };
};

/**
 * Sends requests at a steady pace until `end` is called, by turns on connections of their own and on such as were used
 * before. `results`: of each its kind, when it began, how long it took, and its status, or why there is none.
 */
const steadyLoad = (server: ServerProcess, member: Record<string, string>, perSecond: number) => {
  const requests: Record<string, (at: number) => [string, RequestInit]> = {
    health: () => ["/api/health", {}],
    page: () => ["/login", {}],
    session: () => ["/api/auth/user", { headers: member }],
    write: (at) => [
      "/api/account/name",
      {
        method: "PUT",
        headers: { ...member, "content-type": "application/json" },
        body: JSON.stringify({ name: `Grace ${at}` }),
      },
    ],
  };
  const results: { kind: string; begunAt: number; tookMs: number; outcome: unknown }[] = [];
  const underWay: Promise<void>[] = [];
  let sent = 0;
  const one = async (kind: string, at: number) => {
    const begunAt = performance.now();
    const [path, init] = requests[kind]?.(at) ?? ["/", {}];
    const keepalive = Math.floor(at / kinds.length) % 2 === 0;
    const end = (outcome: unknown) =>
      results.push({ kind, begunAt, tookMs: performance.now() - begunAt, outcome });
    try {
      const response = await fetch(`${server.url}${path}`, { ...init, keepalive });
      await response.text();
      end(response.status);
    } catch (error) {
      end(Reflect.get(Object(error), "code"));
    }
  };
  const timer = setInterval(() => {
    underWay.push(one(kinds[sent % kinds.length] ?? "", sent));
    sent += 1;
  }, 1000 / perSecond);
  return {
    results,
    end: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
};

/** A connection to the server, open. */
const connected = async (server: ServerProcess): Promise<Socket> => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return socket;
};

const question = "GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** Asks again as soon as it was answered, every so often; what came last, and how the connection ended. */
const askOften = (socket: Socket, everyMs: number, onAnswer = () => {}) =>
  new Promise<{ last: string; end: string; isUnanswered: boolean }>((resolve) => {
    let last = "";
    let isUnanswered = false;
    const ask = () => {
      isUnanswered = true;
      socket.write(question);
    };
    socket.on("data", (bytes) => {
      last = String(bytes);
      isUnanswered = false;
      onAnswer();
      // As every client of HTTP: told to go, it asks no more on this connection.
      if (!/^connection: close/im.test(last)) setTimeout(ask, everyMs);
    });
    socket.once("error", (error) => resolve({ last, end: error.message, isUnanswered }));
    socket.once("close", () => resolve({ last, end: "closed", isUnanswered }));
    ask();
  });

describe("X5: an orderly stop", () => {
  const stops = dataPlaces().flatMap((place) => {
    afterAll(() => place.close());
    const signals = place.name === "embedded" ? (["SIGTERM", "SIGINT"] as const) : (["SIGTERM"] as const);
    return signals.map((signal) => ({ place, signal }));
  });
  for (const { place, signal } of stops) {
    // Elsewhere the door closes as it can, and some who had connected are reset.
    const lacking = mayFilter() ? "" : " (needs CAP_NET_ADMIN)";
    test.skipIf(!mayFilter())(
      `${place.name}: ${signal} lets what is under way finish and ends with 0${lacking}`,
      async () => {
        const server = await startOwn(await place.env());
        const { results, end } = steadyLoad(server, await memberOf(server), 200);
        await until(() => results.length > 60);
        // Slow on purpose: each waits for its turn to be hashed, the others when the first has had it.
        const visitor = createPerson(server.url);
        const body = (email: string) => ({ name: "Ada", email, password: "a fine long password" });
        const slow = Array.from({ length: 8 }, (_, n) =>
          visitor.call("POST", "/api/auth/register", body(`drain-${n}@example.test`)),
        );
        await Promise.race(slow);
        const begun = performance.now();
        const exitCode = await server.stop(signal);
        expect(performance.now() - begun).toBeLessThan(10_000);
        expect(exitCode).toBe(0);
        for (const answer of await Promise.all(slow)) expect(answer.status).toBe(201);
        await end();
        const underWay = results.filter(({ begunAt }) => begunAt < begun);
        expect(underWay.filter(({ outcome }) => outcome !== 200)).toEqual([]);
        expect(new Set(underWay.map(({ kind }) => kind))).toEqual(new Set(kinds));
        expect(underWay.length).toBeGreaterThan(40);
        // Later ones are answered too while the door is open, and refused from then on. One that was reset had connected.
        const later = results.filter(({ begunAt }) => begunAt >= begun);
        expect(later.filter(({ outcome }) => outcome !== 200 && outcome !== "ECONNREFUSED")).toEqual([]);
        expect(later.filter(({ outcome }) => outcome === 200).length).toBeGreaterThan(10);
        // Before the door closed, newcomers were ignored: the system asks again for them after a second, and is refused.
        const waited = later.filter(({ outcome, tookMs }) => outcome === "ECONNREFUSED" && tookMs > 500);
        expect(waited.length).toBeGreaterThan(5);
      },
    );
  }

  test("with a delay, not one of 200 requests a second fails while others learn that it goes", async () => {
    const delayMs = 2_000;
    const server = await startOwn({ STOP_DELAY: String(delayMs / 1_000) });
    const { results, end } = steadyLoad(server, await memberOf(server), 200);
    await until(() => results.length > 60);
    const begun = performance.now();
    const ended = server.stop("SIGTERM");
    await until(async () => {
      const ready = await createPerson(server.url).call("GET", "/api/ready");
      return ready.status === 503 && ready.body.code === "SHUTTING_DOWN";
    });
    const toldAt = performance.now();
    // What is left of the delay is for what a busy machine adds.
    await until(() => results.filter(({ begunAt }) => begunAt > toldAt).length > 100);
    await end();
    expect(await ended).toBe(0);
    const tookMs = performance.now() - begun;
    expect(tookMs).toBeGreaterThan(delayMs);
    expect(tookMs).toBeLessThan(delayMs + 10_000);
    expect(results.filter(({ outcome }) => outcome !== 200)).toEqual([]);
  });

  test("who is connected is answered, and told to go before the door closes", async () => {
    const server = await startOwn();
    const sockets = await Promise.all(Array.from({ length: 20 }, () => connected(server)));
    const silent = sockets.splice(10);
    let answers = 0;
    const frequent = sockets.map((socket) =>
      askOften(socket, 20, () => {
        answers += 1;
      }),
    );
    await until(() => answers > 3 * frequent.length);
    const ended = server.stop("SIGTERM");
    const isReady = async () => (await fetch(`${server.url}/api/ready`, { keepalive: false })).ok;
    while (await isReady()) await Bun.sleep(1);
    const late = silent.map((socket) => askOften(socket, 20));
    for (const { last, end, isUnanswered } of await Promise.all([...frequent, ...late])) {
      expect([last.split("\r\n")[0], end, isUnanswered]).toEqual(["HTTP/1.1 200 OK", "closed", false]);
      expect(last.toLowerCase()).toContain("\r\nconnection: close\r\n");
    }
    expect(await ended).toBe(0);
  });

  test("a second signal ends it immediately", async () => {
    const server = await startOwn();
    const visitor = createPerson(server.url);
    const waiting = Array.from({ length: 30 }, (_, n) =>
      visitor
        .call("POST", "/api/auth/register", {
          name: "Ada",
          email: `x${n}@example.test`,
          password: "a fine long one",
        })
        .catch(() => null),
    );
    // The others wait for their turn.
    await Promise.race(waiting);
    void server.stop("SIGTERM");
    // Sooner it would be taken for an echo of the first, as a package runner makes one.
    await Bun.sleep(300);
    // The first one alone would have had them all answered, and ended with 0.
    expect(await server.stop("SIGTERM")).toBe(128 + 15);
    expect(await Promise.all(waiting)).toContain(null);
  });

  test("while it drains, readiness is refused and connections are asked to close", async () => {
    const server = await startOwn();
    const visitor = createPerson(server.url);
    const slow = Array.from({ length: 16 }, (_, n) =>
      visitor.call("POST", "/api/auth/register", {
        name: "Ada",
        email: `y${n}@example.test`,
        password: "a fine long one",
      }),
    );
    await Promise.race(slow);
    const ended = server.stop("SIGTERM");
    // The signal takes its time to arrive; the hashes that are left take some hundred milliseconds.
    let ready = await visitor.call("GET", "/api/ready");
    while (ready.status === 200) ready = await visitor.call("GET", "/api/ready");
    expect([ready.status, ready.body.code]).toEqual([503, "SHUTTING_DOWN"]);
    expect(ready.headers.get("retry-after")).toBe("5");
    await Promise.all(slow);
    expect(await ended).toBe(0);
  });
});
