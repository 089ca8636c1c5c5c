import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectRedis, testRedisConnection } from "#api/adapters/redis/run-redis-checks.ts";
import { startFaultProxy } from "#api/testing/fault-proxy.ts";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { selfSigned } from "#api/testing/self-signed.ts";
import { type RedisServer, startRedis } from "./redis.ts";

const endings = endAfterEachTest();

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

const secret = "canary-of-a-password";
const at = (port: number, user = "", protocol = "redis") => `${protocol}://${user}127.0.0.1:${port}`;

/** The report of a test, which never tells a secret and never takes more than five seconds. */
const report = async (url: string, password: string | null = null) => {
  const startedAt = performance.now();
  const found = await testRedisConnection({ url, password });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  for (const { message, remedy = "." } of found.steps) {
    expect(message).toEndWith(".");
    expect(remedy).toEndWith(".");
  }
  const words = JSON.stringify(found);
  for (const word of [secret, server.password]) expect(words).not.toContain(word);
  return { ...found, step: (name: string) => found.steps.find((step) => step.name === name) };
};

const newUser = (name: string, ...rules: string[]) =>
  server.tell("acl", "setuser", name, "reset", "on", `>${secret}`, ...rules);

describe("the test of a Redis that works", () => {
  test("shows each step with the time that it took, and leaves nothing behind", async () => {
    const found = await report(at(server.port), server.password);
    expect(found.isWorking).toBe(true);
    expect(found.steps.map(({ name, status }) => `${name}: ${status}`)).toEqual([
      "Address: passed",
      "Connection: passed",
      "Authentication: passed",
      "Read and write: passed",
      "Permissions: passed",
      "Version: passed",
      "Latency: passed",
      "Eviction policy: passed",
    ]);
    for (const step of found.steps) expect(step.durationMs).toBeGreaterThanOrEqual(0);
    expect(found.summary).toBe(`127.0.0.1:${server.port} can be used.`);
    expect(await server.tell("dbsize")).toBe(0);
  });

  test("takes a password from the URL as well", async () => {
    expect((await report(server.url())).isWorking).toBe(true);
  });

  test("warns where counts may be evicted, and says what to do", async () => {
    await server.tell("config", "set", "maxmemory", "100mb");
    await server.tell("config", "set", "maxmemory-policy", "allkeys-lru");
    const found = await report(server.url());
    await server.tell("config", "set", "maxmemory-policy", "noeviction");
    expect(found.isWorking).toBe(true);
    expect(found.step("Eviction policy")).toMatchObject({
      status: "warning",
      remedy: "Set maxmemory-policy to noeviction.",
    });
    expect((await report(server.url())).step("Eviction policy")?.status).toBe("passed");
    await server.tell("config", "set", "maxmemory", "0");
  });

  test("warns of a slow line, and fails on one that is too slow to be used", async () => {
    const line = await startFaultProxy({ host: "127.0.0.1", port: server.port });
    endings.push(line.close);
    line.slow(70);
    const late = await report(at(line.port), server.password);
    expect(late.isWorking).toBe(true);
    expect(late.step("Latency")?.status).toBe("warning");
    line.slow(250);
    const slow = await report(at(line.port), server.password);
    expect(slow.isWorking).toBe(false);
    expect(slow.step("Latency")).toMatchObject({ status: "failed", remedy: expect.any(String) });
  });
});

describe("what the user may not do", () => {
  test("is nothing when keys and channels of Atrium are allowed", async () => {
    await newUser("whole", "~atrium:*", "&atrium:*", "+@all", "-@dangerous", "+info");
    const found = await report(at(server.port, "whole@"), secret);
    expect(found.steps.filter(({ status }) => status !== "passed")).toEqual([]);
  });

  test("is named, when Redis cannot be used without it", async () => {
    await newUser("poor", "~atrium:*", "&atrium:*", "+@all", "-evalsha", "-script");
    const found = await report(at(server.port, "poor@"), secret);
    expect(found.isWorking).toBe(false);
    expect(found.step("Permissions")?.message).toBe("The user may not run: SCRIPT LOAD, EVALSHA.");
    await newUser("poor", "~atrium:*", "&atrium:*", "+@all", "-zadd", "-lpop");
    expect((await report(at(server.port, "poor@"), secret)).step("Permissions")?.message).toBe(
      "The user may not run: ZADD, LPOP.",
    );
    await newUser("poor", "~else:*", "&atrium:*", "+@all");
    expect((await report(at(server.port, "poor@"), secret)).step("Read and write")).toMatchObject({
      status: "failed",
      message: "The user may not run the required commands.",
    });
  });

  test("is a warning, when only events go another way", async () => {
    await newUser("deaf", "~atrium:*", "+@all");
    const found = await report(at(server.port, "deaf@"), secret);
    expect(found.isWorking).toBe(true);
    expect(found.step("Permissions")).toMatchObject({
      status: "warning",
      message: expect.stringContaining("PUBLISH, SUBSCRIBE"),
    });
  });

  test("is skipped, when it is only to look", async () => {
    await newUser("blind", "~atrium:*", "&atrium:*", "+@all", "-info", "-config");
    const found = await report(at(server.port, "blind@"), secret);
    expect(found.isWorking).toBe(true);
    expect([found.step("Version")?.status, found.step("Eviction policy")?.status]).toEqual([
      "skipped",
      "skipped",
    ]);
  });
});

describe("the cause of a failure is named, with a remedy", () => {
  const causeOf = async (url: string, password: string | null = null) => {
    const found = await report(url, password);
    expect(found.isWorking).toBe(false);
    const failed = found.steps.filter(({ status }) => status === "failed");
    expect(failed).toHaveLength(1);
    expect(failed[0]?.remedy).toBeDefined();
    return `${failed[0]?.name}: ${failed[0]?.message}`;
  };

  test("for passwords", async () => {
    expect(await causeOf(at(server.port), secret)).toBe("Authentication: Wrong user name or password.");
    expect(await causeOf(at(server.port, "nobody@"), secret)).toBe(
      "Authentication: Wrong user name or password.",
    );
    expect(await causeOf(at(server.port))).toBe("Authentication: It requires a password.");
  });

  test("for a port without a listener", async () => {
    expect(await causeOf(at(1), secret)).toBe("Connection: Connection refused.");
  });

  test("for a database that does not exist, and a replica", async () => {
    expect(await causeOf(`${at(server.port)}/99`, server.password)).toBe(
      "Authentication: It has no database of that number.",
    );
    await server.tell("replicaof", "127.0.0.1", "1");
    const cause = await causeOf(at(server.port), server.password);
    await server.tell("replicaof", "no", "one");
    expect(cause).toBe("Read and write: It is a read-only replica.");
  });

  test("for a server that hangs", async () => {
    server.freeze();
    const cause = await causeOf(at(server.port), server.password);
    server.thaw();
    expect(cause).toBe("Authentication: No response in time.");
  });

  test("for TLS on one side alone, and for certificates", async () => {
    expect(await causeOf(at(server.port, "", "rediss"), server.password)).toBe(
      "Connection: It responds, but without TLS.",
    );
    const safe = await startRedis({ certificate: selfSigned });
    endings.push(safe.stop);
    expect(await causeOf(at(safe.port), safe.password)).toBe("Connection: It requires TLS.");
    expect(await causeOf(at(safe.port, "", "rediss"), safe.password)).toBe(
      "Connection: Its certificate is self-signed.",
    );
  });

  test("for a certificate of another host, though the address is right", async () => {
    const safe = await startRedis({ certificate: selfSigned });
    const folder = mkdtempSync(join(tmpdir(), "atrium-ca-"));
    endings.push(safe.stop, () => rmSync(folder, { recursive: true }));
    const ca = join(folder, "ca.pem");
    writeFileSync(ca, selfSigned.cert);
    const summaryAt = (host: string): string => {
      const program = `
        const { testRedisConnection } = await import("#api/adapters/redis/run-redis-checks.ts");
        const target = { url: "rediss://${host}:${safe.port}", password: "${safe.password}" };
        const resolver = async () => [{ address: "127.0.0.1" }];
        console.log((await testRedisConnection(target, { resolver })).summary);`;
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca };
      return Bun.spawnSync([process.execPath, "-e", program], { env }).stdout.toString().trim();
    };
    expect(summaryAt("mail.example.test")).toEndWith("can be used.");
    expect(summaryAt("other.example.test")).toEndWith("can't be used: its certificate is for another host.");
  });
});

const inspectAt = (url: string) => inspectRedis({ url, password: null });

test("a server is looked at without a trace: how fast it answers, and its version", async () => {
  const report = await inspectAt(`${server.url()}/3`);
  expect(report).toMatchObject({ server: `127.0.0.1:${server.port}`, isUsable: true });
  expect(report.isUsable && report.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(report.isUsable && report.latencyMs).toBeGreaterThan(0);
  expect(await server.tell("info", "keyspace")).not.toContain("keys=");
});

test("a password with reserved characters is percent-encoded in the address", async () => {
  await server.tell("acl", "setuser", "ada", "on", ">p@ss:w/rd", "allcommands", "allkeys");
  const report = await inspectAt(`redis://ada:p%40ss%3Aw%2Frd@127.0.0.1:${server.port}`);
  expect(report).toMatchObject({ isUsable: true });
});
