import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createBucketTest } from "#api/adapters/object-store/create-bucket-test.ts";
import { testRedisConnection } from "#api/adapters/redis/run-redis-checks.ts";
import type { BucketTarget, ConnectionReport, RedisTarget } from "#api/core/settings.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { noConnectionTests } from "#api/testing/fixed-settings.ts";
import { createTestHost, type TestClient, type TestHost } from "#api/testing/host.ts";
import {
  emptyCredentials,
  goodBucket,
  r2Endpoint,
  saidInLog,
  settingsCalls,
} from "#api/testing/settings-calls.ts";
import { openTcpSink, type TcpSink } from "#api/testing/tcp-sink.ts";
import { until } from "#api/testing/until.ts";
import { fieldTexts } from "#contract/errors.ts";
import { settingsTexts } from "#contract/settings.ts";

const password = "canary-of-the-stored-password";
const environmentUrl = "redis://:environment@env.example:6379";

let sink: TcpSink;
let host: TestHost;
let admin: TestClient;
let calls: ReturnType<typeof settingsCalls>;
/** What was tried, and by what it is answered; `null` tries for real. */
let tried: (RedisTarget | BucketTarget | "limiter")[] = [];
let report: ConnectionReport | null;
let held: Promise<void> = Promise.resolve();
const answerOr = async (
  target: RedisTarget | BucketTarget | "limiter",
  real: () => Promise<ConnectionReport>,
): Promise<ConnectionReport> => {
  tried.push(target);
  await held;
  return report ?? real();
};
const works: ConnectionReport = {
  ...{ isWorking: true, summary: "It works", details: "Redis 7" },
  steps: [{ name: "Connect", status: "passed", message: "connected", durationMs: 2 }],
};
const fails: ConnectionReport = {
  ...{ isWorking: false, summary: "Wrong user name or password", details: "" },
  steps: [{ name: "Sign in", status: "failed", message: "WRONGPASS", remedy: "Enter the password again" }],
};

beforeAll(async () => {
  sink = await openTcpSink(() => "-WRONGPASS no\r\n");
  const bucket = createBucketTest({ otherOrigins: [`http://127.0.0.1:${sink.port}`] });
  host = await createTestHost({
    hasher: createCheapHasher(),
    settings: "stored",
    redisUrl: environmentUrl,
    s3Endpoints: [`http://127.0.0.1:${sink.port}`],
    connectionTests: {
      ...noConnectionTests,
      redis: (target) => answerOr(target, () => testRedisConnection(target)),
      bucket: (target) => answerOr(target, () => bucket(target)),
      rateLimiter: () => answerOr("limiter", async () => works),
    },
  });
  admin = await host.signedIn("admin");
  calls = settingsCalls(admin);
});
beforeEach(async () => {
  await emptyCredentials(calls);
  tried = [];
  report = works;
  held = Promise.resolve();
});
afterAll(async () => {
  await host.close();
  await sink.close();
});

const run = (path: string, body?: unknown, as = calls) => as.tell("POST", path, body);
const errorsOf = ({ answer }: { answer: Record<string, unknown> }): unknown => answer.errors;

describe("a test of Redis", () => {
  test("answers with the steps when it works, and leaves a row in the log", async () => {
    const recorded = createActivityReader(host.services);
    await recorded();
    const { status, answer } = await run("/test-redis", { endpoint: "redis://redis.example", password });
    expect({ status, answer }).toEqual({
      status: 200,
      answer: {
        ...{ success: true, message: "It works" },
        data: {
          testResult: {
            ...{ title: "Redis Connection Test Successful", message: "It works", severity: "success" },
            ...{ details: "Redis 7", testResults: works.steps },
          },
        },
      },
    });
    expect(await recorded()).toMatchObject([
      {
        type: "admin_action",
        action: "Tested the connection to Redis",
        status: "success",
        userId: admin.user?.id,
      },
    ]);
  });

  test("answers TEST_FAILED with the same when it does not, and leaves a row, too", async () => {
    report = fails;
    const recorded = createActivityReader(host.services);
    await recorded();
    const { status, answer } = await run("/test-redis", { endpoint: "redis://redis.example" });
    expect([status, answer.code, answer.message]).toEqual([422, "TEST_FAILED", fails.summary]);
    expect(answer.data).toEqual({
      testResult: {
        ...{ title: "Redis Connection Test Failed", message: fails.summary, severity: "error" },
        ...{ details: "", testResults: fails.steps },
      },
    });
    expect(await recorded()).toMatchObject([
      { type: "admin_action", status: "failure", description: fails.summary },
    ]);
  });

  test("that works with a warning is a warning", async () => {
    report = { ...works, steps: [...works.steps, { name: "Eviction", status: "warning", message: "none" }] };
    const { answer } = await run("/test-redis", { endpoint: "redis://redis.example" });
    expect(answer.data).toMatchObject({ testResult: { severity: "warning" } });
  });

  test("takes what is left out from what is stored, and before that from the environment", async () => {
    await run("/test-redis", {});
    await run("/test-redis", { endpoint: "", password: "" });
    await run("/test-redis", { endpoint: "redis://env.example" });
    await run("/test-redis", { endpoint: "redis://other.example" });
    await calls.save({ redis: { endpoint: "redis://redis.example/2", password } });
    await run("/test-redis", {});
    await run("/test-redis", { endpoint: "redis://Redis.example:6379" });
    await run("/test-redis", { endpoint: "redis://user:typed@other.example" });
    await run("/test-redis", { endpoint: "redis://other.example", password: null });
    expect(tried).toEqual([
      { url: "redis://env.example:6379", password: "environment" },
      { url: "redis://env.example:6379", password: "environment" },
      { url: "redis://env.example", password: "environment" },
      { url: "redis://other.example", password: null },
      { url: "redis://redis.example/2", password },
      { url: "redis://redis.example:6379", password },
      { url: "redis://user@other.example", password: "typed" },
      { url: "redis://other.example", password: null },
    ]);
  });

  test.each([
    ["x", settingsTexts.redisEndpointInvalid],
    ["redis://169.254.169.254", settingsTexts.addressRefused],
    ["redis://2130706433", settingsTexts.addressRefused],
    ["redis://metadata.google.internal", settingsTexts.addressRefused],
    ["redis://127.0.0.1:25", settingsTexts.addressRefused],
    ["redis://u%0d%0aAUTH:p@redis.example", settingsTexts.passwordUnprintable],
  ])("S3: of %s is refused before anything is sent", async (endpoint, message) => {
    const answered = await run("/test-redis", { endpoint });
    expect([answered.status, answered.answer.code]).toEqual([422, "VALIDATION_FAILED"]);
    expect(errorsOf(answered)).toEqual([{ path: "endpoint", message }]);
    expect(tried).toEqual([]);
  });
});

describe("S2: a stored secret goes to its own server alone:", () => {
  test("a test of another is refused, and nothing is sent there", async () => {
    report = null;
    const before = sink.connections;
    await calls.save({ redis: { endpoint: "redis://redis.example", password } });
    for (const body of [
      { endpoint: `redis://127.0.0.1:${sink.port}` },
      { endpoint: `redis://127.0.0.1:${sink.port}`, password: "" },
      { endpoint: `redis://redis.example@127.0.0.1:${sink.port}` },
      { endpoint: "redis://redis.example:6380" },
    ]) {
      const answered = await run("/test-redis", body);
      expect([answered.status, answered.answer.code]).toEqual([422, "VALIDATION_FAILED"]);
      expect(errorsOf(answered)).toEqual([{ path: "password", message: settingsTexts.enterAgain }]);
    }
    expect([tried, sink.connections]).toEqual([[], before]);
  });

  test("with a secret of its own the other is called, and hears nothing of the stored one", async () => {
    report = null;
    const before = { connections: sink.connections, characters: sink.received.length };
    await calls.save({ redis: { endpoint: "redis://redis.example", password } });
    const endpoint = `redis://127.0.0.1:${sink.port}`;
    const { status, answer } = await run("/test-redis", { endpoint, password: "typed-by-hand" });
    expect([status, answer.code]).toEqual([422, "TEST_FAILED"]);
    expect(sink.connections).toBeGreaterThan(before.connections);
    expect(sink.received.slice(before.characters)).toContain("typed-by-hand");
    expect(sink.received.slice(before.characters)).not.toContain(password);
    expect(JSON.stringify(answer)).not.toContain("typed-by-hand");
  });

  test("nor do the keys of a bucket go anywhere else", async () => {
    report = null;
    await calls.save({ cloudflareR2: goodBucket });
    const before = sink.connections;
    for (const endpointS3 of [`http://127.0.0.1:${sink.port}`, r2Endpoint("b")]) {
      const answered = await run("/test-r2", { endpointS3, accessKeyId: "typed-by-hand-0001" });
      expect(answered.status).toBe(422);
      expect(errorsOf(answered)).toEqual(
        ["token", "secretAccessKey"].map((path) => ({ path, message: settingsTexts.enterAgain })),
      );
    }
    expect([tried, sink.connections]).toEqual([[], before]);
  });
});

describe("a test of the object storage", () => {
  test("takes what is left out from what is stored", async () => {
    await calls.save({ cloudflareR2: goodBucket });
    const { status, answer } = await run("/test-r2", { bucket: "another", token: null });
    expect([status, Object(answer.data).testResult.title]).toEqual([
      200,
      "Cloudflare R2 Connection Test Successful",
    ]);
    const { endpointS3: endpoint, accessKeyId, secretAccessKey } = goodBucket;
    expect(tried).toEqual([{ endpoint, bucket: "another", accessKeyId, secretAccessKey, token: null }]);
  });

  test("asks for everything that is needed, and does nothing without", async () => {
    const needed = ["bucket", "accessKeyId", "secretAccessKey", "endpointS3"];
    const answered = await run("/test-r2", {});
    expect([answered.status, answered.answer.message]).toEqual([422, settingsTexts.noBucketYet]);
    expect(errorsOf(answered)).toMatchObject(needed.map((path) => ({ path })));
    await calls.save({ cloudflareR2: { bucket: goodBucket.bucket } });
    const rest = needed.slice(1).map((path) => ({ path, message: fieldTexts.required }));
    expect(errorsOf(await run("/test-r2", {}))).toEqual(rest);
    expect(tried).toEqual([]);
  });

  test("S7: refuses each field with the text of its rule", async () => {
    const { answer } = await run("/test-r2", {
      ...{ bucket: "A--", token: "x", accessKeyId: "x", secretAccessKey: "!".repeat(20), endpointS3: "x" },
    });
    expect(answer.errors).toEqual([
      { path: "bucket", message: settingsTexts.bucketCharacters },
      { path: "token", message: settingsTexts.tokenShort },
      { path: "accessKeyId", message: settingsTexts.accessKeyShort },
      { path: "secretAccessKey", message: settingsTexts.secretKeyCharacters },
      { path: "endpointS3", message: settingsTexts.s3EndpointInvalid },
    ]);
  });
});

describe("S4: an admin has one test at a time:", () => {
  test("a second is refused until the first has ended; another admin has his own", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const first = run("/test-rate-limit");
    await until(() => tried.length === 1);
    for (const path of ["/test-rate-limit", "/test-redis", "/test-redis"]) {
      const { status, answer } = await run(path, path === "/test-redis" ? {} : undefined);
      expect([status, answer.code, answer.message]).toEqual([409, "CONFLICT", settingsTexts.testRunning]);
    }
    const other = run("/test-rate-limit", undefined, settingsCalls(await host.signedIn("admin")));
    await until(() => tried.length === 2);
    resolve();
    expect([(await first).status, (await other).status]).toEqual([200, 200]);
    expect((await run("/test-rate-limit")).status).toBe(200);
  });

  test("of twenty at the same time one runs, and a refused or failed one does not count", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const runs = Array.from({ length: 20 }, async () => (await run("/test-rate-limit")).status);
    // The one that was let in waits until all others were answered.
    let refused = 0;
    for (const one of runs) void one.then((status) => (refused += status === 409 ? 1 : 0));
    await until(() => refused === 19);
    resolve();
    expect((await Promise.all(runs)).filter((status) => status === 200)).toHaveLength(1);
    report = fails;
    for (const body of [{ endpoint: "x" }, { endpoint: "redis://redis.example" }])
      expect((await run("/test-redis", body)).status).toBe(422);
  });
});

test("S1: neither a stored nor a typed secret is in any answer or log of a test", async () => {
  report = null;
  await calls.save({
    redis: { endpoint: `redis://127.0.0.1:${sink.port}`, password },
    cloudflareR2: goodBucket,
  });
  const said: unknown[] = [];
  for (const body of [{}, { endpoint: `redis://u:typed-by-hand@127.0.0.1:${sink.port}` }])
    said.push(await run("/test-redis", body));
  await calls.save({ cloudflareR2: { ...goodBucket, endpointS3: `http://127.0.0.1:${sink.port}` } });
  said.push(await run("/test-r2", {}));
  const rows = await createActivityReader(host.services)();
  const text = JSON.stringify(said) + saidInLog(host) + JSON.stringify(rows);
  for (const secret of [
    password,
    "typed-by-hand",
    goodBucket.secretAccessKey,
    goodBucket.accessKeyId,
    goodBucket.token,
  ])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
  expect(sink.received).toContain(password);
});
