import { afterAll, beforeAll, expect, test } from "bun:test";
import { inspectRedis } from "#api/adapters/redis/run-redis-checks.ts";
import { type RedisServer, startRedis } from "./redis.ts";

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

const inspectAt = (url: string, limitMs?: number) => inspectRedis({ url, password: null }, limitMs);

test("a server is looked at without a trace: how fast it answers, and its version", async () => {
  const report = await inspectAt(`${server.url()}/3`);
  expect(report).toMatchObject({ server: `127.0.0.1:${server.port}`, isUsable: true });
  expect(report.isUsable && report.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(report.isUsable && report.latencyMs).toBeGreaterThan(0);
  expect(await server.tell("info", "keyspace")).not.toContain("keys=");
});

test("what keeps a server from being used is named", async () => {
  const reasonAt = async (url: string) => {
    const report = await inspectAt(url);
    return report.isUsable ? "none" : report.reason;
  };
  expect(await reasonAt(server.url("wrong"))).toBe("wrong user name or password");
  expect(await reasonAt(`redis://127.0.0.1:${server.port}`)).toBe("it requires a password");
  expect(await reasonAt(`redis://nobody:${server.password}@127.0.0.1:${server.port}`)).toBe(
    "wrong user name or password",
  );
  expect(await reasonAt(`${server.url()}/99`)).toBe("it has no database of that number");
  await server.tell("replicaof", "127.0.0.1", "1");
  expect(await reasonAt(server.url())).toBe("it is a read-only replica");
  await server.tell("replicaof", "no", "one");
});

test("a password with reserved characters is percent-encoded in the address", async () => {
  await server.tell("acl", "setuser", "ada", "on", ">p@ss:w/rd", "allcommands", "allkeys");
  const report = await inspectAt(`redis://ada:p%40ss%3Aw%2Frd@127.0.0.1:${server.port}`);
  expect(report).toMatchObject({ isUsable: true });
});

test("a stopped server is gone", async () => {
  const other = await startRedis();
  other.stop();
  other.stop();
  const report = await inspectAt(other.url(), 1_000);
  expect(report).toMatchObject({ isUsable: false });
});
