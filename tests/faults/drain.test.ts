import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { dataPlaces } from "../driver/databases.ts";
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

/**
 * Sends requests at a steady pace until told to stop, by turns on connections of their own and on such as were used before;
 * each with when it began and its status, or why there is none.
 */
const steadyLoad = (server: ServerProcess, perSecond: number) => {
  const results: { begunAt: number; outcome: unknown }[] = [];
  const underWay: Promise<void>[] = [];
  let sent = 0;
  const one = async () => {
    const begunAt = performance.now();
    sent += 1;
    try {
      const response = await fetch(`${server.url}/api/health`, { keepalive: sent % 2 === 0 });
      await response.text();
      results.push({ begunAt, outcome: response.status });
    } catch (error) {
      results.push({ begunAt, outcome: Reflect.get(Object(error), "code") });
    }
  };
  const timer = setInterval(() => underWay.push(one()), 1000 / perSecond);
  return async () => {
    clearInterval(timer);
    await Promise.all(underWay);
    return results;
  };
};

describe("X5: an orderly stop", () => {
  const stops = dataPlaces().flatMap((place) => {
    afterAll(() => place.close());
    const signals = place.name === "embedded" ? (["SIGTERM", "SIGINT"] as const) : (["SIGTERM"] as const);
    return signals.map((signal) => ({ place, signal }));
  });
  for (const { place, signal } of stops) {
    test(`${place.name}: ${signal} lets what is under way finish and ends with 0`, async () => {
      const server = await startOwn(await place.env());
      const endLoad = steadyLoad(server, 200);
      await Bun.sleep(300);
      // Slow on purpose: each waits for its turn to be hashed.
      const visitor = createPerson(server.url);
      const body = (email: string) => ({ name: "Ada", email, password: "a fine long password" });
      const slow = Array.from({ length: 8 }, (_, n) =>
        visitor.call("POST", "/api/auth/register", body(`drain-${n}@example.test`)),
      );
      await Bun.sleep(50);
      const begun = performance.now();
      const exitCode = await server.stop(signal);
      expect(performance.now() - begun).toBeLessThan(10_000);
      expect(exitCode).toBe(0);
      for (const answer of await Promise.all(slow)) expect(answer.status).toBe(201);
      const results = await endLoad();
      // What was under way is answered. Later ones are answered too while the door is open; where it closes, the
      // system resets a connection that nobody has taken in yet.
      const underWay = results.filter(({ begunAt }) => begunAt < begun);
      expect(underWay.filter(({ outcome }) => outcome !== 200)).toEqual([]);
      expect(underWay.length).toBeGreaterThan(20);
      const later = new Set(results.filter(({ begunAt }) => begunAt >= begun).map(({ outcome }) => outcome));
      const fates: unknown[] = [200, "ECONNREFUSED", "ECONNRESET"];
      for (const outcome of later) expect(fates).toContain(outcome);
    });
  }

  test("with a delay, not one of 200 requests a second fails while others learn that it goes", async () => {
    const delayMs = 1_000;
    const server = await startOwn({ STOP_DELAY: String(delayMs / 1_000) });
    const endLoad = steadyLoad(server, 200);
    await Bun.sleep(300);
    const begun = performance.now();
    const ended = server.stop("SIGTERM");
    await Bun.sleep(delayMs / 2);
    const ready = await createPerson(server.url).call("GET", "/api/ready");
    expect([ready.status, ready.body.code]).toEqual([503, "SHUTTING_DOWN"]);
    // What is left of the delay is for what a busy machine adds.
    await Bun.sleep(delayMs / 2 - 100);
    const results = await endLoad();
    expect(await ended).toBe(0);
    expect(performance.now() - begun).toBeLessThan(delayMs + 10_000);
    expect(results.filter(({ outcome }) => outcome !== 200)).toEqual([]);
    expect(results.filter(({ begunAt }) => begunAt > begun).length).toBeGreaterThan(50);
  });

  test("a second signal ends it at once", async () => {
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
    await Bun.sleep(100);
    void server.stop("SIGTERM");
    // Sooner it would be taken for an echo of the first, as a package runner makes one.
    await Bun.sleep(300);
    const begun = performance.now();
    await server.stop("SIGTERM");
    expect(performance.now() - begun).toBeLessThan(500);
    await Promise.all(waiting);
  });

  test("while it drains, readiness is refused and connections are asked to close", async () => {
    const server = await startOwn();
    const visitor = createPerson(server.url);
    const slow = Array.from({ length: 40 }, (_, n) =>
      visitor.call("POST", "/api/auth/register", {
        name: "Ada",
        email: `y${n}@example.test`,
        password: "a fine long one",
      }),
    );
    await Bun.sleep(50);
    const ended = server.stop("SIGTERM");
    // The signal takes its time to arrive; the forty hashes take a second.
    let ready = await visitor.call("GET", "/api/ready");
    while (ready.status === 200) ready = await visitor.call("GET", "/api/ready");
    expect([ready.status, ready.body.code]).toEqual([503, "SHUTTING_DOWN"]);
    expect(ready.headers.get("retry-after")).toBe("5");
    await Promise.all(slow);
    expect(await ended).toBe(0);
  });
});
