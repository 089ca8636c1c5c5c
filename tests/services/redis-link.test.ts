import { describe, expect, test } from "bun:test";
import { createAttemptGuard } from "#api/adapters/attempt-guard/attempt-guard.ts";
import { createCache } from "#api/adapters/cache/create-cache.ts";
import { createRedisLink, type LinkTarget } from "#api/adapters/redis/redis-link.ts";
import { systemClock } from "#api/core/clock.ts";
import { budgetOf, failIn, inParallel } from "#api/testing/attempt-guard-contract.ts";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { ownMsOf } from "#api/testing/own-ms-of.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { selfSigned } from "#api/testing/self-signed.ts";
import { until } from "#api/testing/until.ts";
import { type RedisServer, type RedisServerOptions, startRedis } from "./redis.ts";

const secret = new TextEncoder().encode("the secret that all of these share");
const endings = endAfterEachTest();

const newServer = async (options?: RedisServerOptions) => {
  const server = await startRedis(options);
  endings.push(server.stop);
  return server;
};

const targetOf = (server: RedisServer): LinkTarget => ({
  url: `redis://127.0.0.1:${server.port}/2`,
  password: server.password,
  source: "settings",
});

const newLink = () => {
  const log = createRecordingLog();
  const link = createRedisLink({ clock: systemClock, log });
  endings.push(link.close);
  return { log, link };
};

/** Asks again and again, several at a time, until it is told to stop. */
const underLoad = (ask: () => Promise<unknown>) => {
  let isOver = false;
  const answers: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (!isOver) {
      answers.push(await ask());
      await Bun.sleep(1);
    }
  };
  const workers = Promise.all(Array.from({ length: 8 }, worker));
  const asked = (times: number) => {
    const before = answers.length;
    return until(() => answers.length >= before + times);
  };
  const stop = async () => {
    isOver = true;
    await workers;
    return answers;
  };
  return { asked, stop };
};

const whoAnswers = (link: ReturnType<typeof createRedisLink>) =>
  link.ask((client) => client.get("atrium:name"));

const named = async (name: string) => {
  const server = await newServer();
  const { link } = newLink();
  link.use(targetOf(server));
  await until(() => link.isUp);
  await link.ask((client) => client.set("atrium:name", name));
  await link.close();
  return server;
};

describe("switching while everything runs", () => {
  test("from one server to another loses no question", async () => {
    const [one, other] = [await named("one"), await named("other")];
    const { link } = newLink();
    link.use(targetOf(one));
    await until(() => link.isUp);
    const { asked, stop } = underLoad(() => whoAnswers(link));
    await asked(20);
    link.use(targetOf(other));
    await until(async () => (await whoAnswers(link)) === "other");
    link.use(targetOf(one));
    link.use(targetOf(other));
    link.use(targetOf(one));
    await until(async () => (await whoAnswers(link)) === "one");
    const answers = await stop();
    expect(new Set(answers)).toEqual(new Set(["one", "other"]));
    expect(link.state()).toMatchObject({ state: "up", server: `127.0.0.1:${one.port}`, source: "settings" });
    // What was left is left permanently.
    await until(async () => Number(await other.tell("client", "list").then(countAtrium)) === 0);
  });

  test("to none is immediate, and back to one takes a moment", async () => {
    const server = await named("one");
    const { link, log } = newLink();
    link.use(targetOf(server));
    await until(() => link.isUp);
    link.use(null);
    expect([link.isUp, link.isConfigured]).toEqual([false, false]);
    expect(await whoAnswers(link)).toBeNull();
    expect(link.state()).toMatchObject({ state: "unused", server: null, source: null, reason: null });
    link.use(targetOf(server));
    expect(link.state()).toMatchObject({ state: "connecting", server: `127.0.0.1:${server.port}` });
    expect(await until(() => link.isUp)).toBeLessThan(1_000);
    expect(log.entries.map(({ message }) => message)).toEqual([
      "Redis is in use",
      "Redis is no longer used",
      "Redis is in use",
    ]);
  });

  test("to one that cannot be reached says why, and the former one is no longer used", async () => {
    const server = await named("one");
    const { link } = newLink();
    link.use(targetOf(server));
    await until(() => link.isUp);
    link.use({ url: "redis://127.0.0.1:1", password: null, source: "settings" });
    await until(() => link.state().state === "away");
    expect(link.state()).toMatchObject({ server: "127.0.0.1:1", reason: "connection refused" });
    expect(await whoAnswers(link)).toBeNull();
    const safe = await newServer({ certificate: selfSigned });
    link.use({ ...targetOf(safe), url: `rediss://127.0.0.1:${safe.port}` });
    await until(() => link.state().reason === "its certificate is self-signed");
    link.use({ ...targetOf(server), password: "wrong" });
    await until(() => link.state().reason === "wrong user name or password");
    link.use({ url: "redis://169.254.169.254", password: null, source: "settings" });
    await until(() => link.state().reason === "connections to the address are not allowed");
  });

  test("to the very same one changes nothing but who named it", async () => {
    const server = await named("one");
    const { link } = newLink();
    link.use(targetOf(server));
    await until(() => link.isUp);
    const { since } = link.state();
    link.use({ ...targetOf(server), source: "environment" });
    expect(link.state()).toMatchObject({ state: "up", source: "environment", since });
    expect(await whoAnswers(link)).toBe("one");
  });
});

const countAtrium = (list: unknown): number => String(list).split("db=2").length - 1;

describe("R6: Redis killed and back under load", () => {
  test("fails no call, costs none more than a moment, and is in full use within five seconds", async () => {
    const server = await newServer();
    const { link } = newLink();
    const guard = createAttemptGuard({ clock: systemClock, link, secret });
    const cache = createCache({ clock: systemClock, link });
    endings.push(guard.close);
    link.use(targetOf(server));
    await until(() => link.isUp);
    let longestMs = 0;
    let calls = 0;
    const call = async (): Promise<unknown> => {
      calls += 1;
      const budget = budgetOf(`call ${calls}`, 1);
      let known: unknown = null;
      const ownMs = await ownMsOf(async () => {
        await cache.set("x", { calls }, 60_000);
        known = await cache.get("x", (value) => value);
        await guard.spend([budget]);
      });
      longestMs = Math.max(longestMs, ownMs);
      return known === null ? "nothing" : "something";
    };
    const { asked, stop } = underLoad(call);
    for (const fault of ["kill", "freeze"] as const) {
      await asked(20);
      if (fault === "kill") await server.kill();
      else server.freeze();
      await until(() => !link.isUp);
      await asked(20);
      if (fault === "kill") await server.restart();
      else server.thaw();
      expect(await until(() => link.isUp)).toBeLessThan(5_000);
    }
    const answers = await stop();
    expect(answers.length).toBeGreaterThan(100);
    expect(answers).toContain("something");
    // Three questions in a row: the first that waits in vain ends the connection, and the others wait for nothing.
    expect(longestMs).toBeLessThan(300);
  });

  test("no outage makes the process hold on to what it could not send", async () => {
    const { link } = newLink();
    const guard = createAttemptGuard({ clock: systemClock, link, secret });
    await inParallel(2_000, (n) => failIn(guard, budgetOf(`user ${n}`, 1)));
    const server = await newServer();
    link.use(targetOf(server));
    await until(() => link.isUp);
    // What was counted while there was no Redis is known there by now.
    const { link: second } = newLink();
    const other = createAttemptGuard({ clock: systemClock, link: second, secret });
    second.use(targetOf(server));
    await until(() => second.isUp);
    expect(await failIn(other, budgetOf("user 7", 1))).toBe("RATE_LIMITED");
    expect(await failIn(other, budgetOf("user 1999", 1))).toBe("RATE_LIMITED");
  });
});

describe("messages", () => {
  test("are heard on the connection that carries commands, over losses and switches", async () => {
    const [one, other] = [await newServer(), await newServer()];
    const { link } = newLink();
    const heard: string[] = [];
    let begun = 0;
    const leave = link.subscribe("atrium:x", {
      onMessage: (text) => heard.push(text),
      onBegin: () => {
        begun += 1;
      },
    });
    link.use(targetOf(one));
    await until(() => link.isUp);
    await one.tell("publish", "atrium:x", "first");
    await until(() => heard.includes("first"));
    expect(await link.ask((client) => client.ping())).toBe("PONG");
    await one.tell("client", "kill", "type", "pubsub");
    await until(() => begun === 2);
    await one.tell("publish", "atrium:x", "second");
    await until(() => heard.includes("second"));
    link.use(targetOf(other));
    await until(() => begun === 3);
    await other.tell("publish", "atrium:x", "third");
    await until(() => heard.includes("third"));
    leave();
    await other.tell("publish", "atrium:x", "fourth");
    await link.ask((client) => client.ping());
    expect(heard).toEqual(["first", "second", "third"]);
  });

  test("that the user is not allowed to receive are missed, and everything else works", async () => {
    const server = await newServer();
    await server.tell("acl", "setuser", "deaf", "on", ">word", "~atrium:*", "+@all");
    const { link, log } = newLink();
    link.subscribe("atrium:x", { onMessage: () => {}, onBegin: () => {} });
    link.use({ url: `redis://deaf@127.0.0.1:${server.port}`, password: "word", source: "settings" });
    await until(() => link.isUp);
    expect(log.entries.map(({ message }) => message)).toEqual([
      "Redis carries no events: its user is not allowed to subscribe",
      "Redis is in use",
    ]);
  });
});
