import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createBucketTest } from "#api/adapters/object-store/create-bucket-test.ts";
import { testRedisConnection } from "#api/adapters/redis/run-redis-checks.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { workingConnectionTests } from "#api/testing/fixed-settings.ts";
import { createTestHost, type TestHost } from "#api/testing/host.ts";
import { emptyCredentials, goodBucket, r2Endpoint, settingsCalls } from "#api/testing/settings-calls.ts";
import { openTcpSink, type TcpSink } from "#api/testing/tcp-sink.ts";
import type { SecretName } from "#contract/credential-settings.ts";
import { settingsTexts } from "#contract/settings.ts";
import { sealSecret, secretNames, writeSecret } from "./store.ts";

let sink: TcpSink;
let host: TestHost;
let calls: ReturnType<typeof settingsCalls>;
beforeAll(async () => {
  sink = await openTcpSink(() => "-WRONGPASS no\r\n");
  const origin = `http://127.0.0.1:${sink.port}`;
  host = await createTestHost({
    hasher: createCheapHasher(),
    settings: "stored",
    s3Endpoints: [origin],
    connectionTests: {
      ...workingConnectionTests,
      redis: testRedisConnection,
      bucket: createBucketTest({ otherOrigins: [origin] }),
    },
  });
  calls = settingsCalls(await host.signedIn("admin"));
});
beforeEach(() => emptyCredentials(calls));
afterAll(async () => {
  await host.close();
  await sink.close();
});

test("a test of a service that is not configured says so, at the fields that it needs", async () => {
  const redis = await calls.tell("POST", "/test-redis", {});
  expect([redis.status, redis.answer.message, errorsOf(redis)]).toEqual([
    422,
    settingsTexts.noRedisYet,
    [{ path: "endpoint", message: settingsTexts.noRedisYet }],
  ]);
  const bucket = await calls.tell("POST", "/test-r2", { bucket: "" });
  expect([bucket.status, bucket.answer.message]).toEqual([422, settingsTexts.noBucketYet]);
});

/** Stores secrets as no call does: for no server at all. */
const storeOrphans = async (...names: SecretName[]): Promise<void> => {
  for (const name of names) {
    const sealed = sealSecret(host.services.secrets, { name, value: `orphan of ${name}`, endpoint: "" });
    await writeSecret(host.db, { name, sealed, now: new Date() });
  }
};
const current = () => host.services.settings.current;
const errorsOf = ({ answer }: { answer: Record<string, unknown> }): unknown => answer.errors;
const enterAgain = (paths: readonly string[]) =>
  paths.map((path) => ({ path, message: settingsTexts.enterAgain }));

describe("S2: a secret without an endpoint", () => {
  const { endpointS3: _, bucket, ...keys } = goodBucket;
  const refused = ["redis.password", ...Object.keys(keys).map((name) => `cloudflareR2.${name}`)].map(
    (path) => ({
      path,
      message: settingsTexts.endpointFirst,
    }),
  );

  test("has no server: it is refused at its field, and nothing is saved", async () => {
    const body = { redis: { password: "p" }, cloudflareR2: { bucket, ...keys } };
    const before = await calls.credentials();
    const emptied = {
      redis: { endpoint: "", password: "p" },
      cloudflareR2: { endpointS3: "", ...keys },
    };
    for (const saved of [body, emptied]) {
      const answered = await calls.save(saved);
      expect([answered.status, errorsOf(answered)]).toEqual([422, refused]);
    }
    expect(await calls.credentials()).toEqual(before);
  });

  test("is refused where the endpoint is emptied with the same call, which then stays", async () => {
    await calls.save({ redis: { endpoint: "redis://redis.example", password: "p" } });
    expect((await calls.save({ redis: { endpoint: "", password: "again" } })).status).toBe(422);
    expect(current().redis).toMatchObject({ url: "redis://redis.example", password: "p" });
  });

  test("that was stored all the same is not given to the first that comes, and can be removed", async () => {
    await storeOrphans("redis.password", "cloudflareR2.token");
    const answered = await calls.save({
      redis: { endpoint: "redis://redis.example" },
      cloudflareR2: { endpointS3: r2Endpoint() },
    });
    expect([answered.status, errorsOf(answered)]).toEqual([
      422,
      enterAgain(["redis.password", "cloudflareR2.token"]),
    ]);
    expect((await calls.save({ redis: { password: null }, cloudflareR2: { token: null } })).status).toBe(200);
    expect(await calls.credentials()).toMatchObject({
      redis: { hasPassword: false },
      cloudflareR2: { hasToken: false },
    });
  });

  test("that was stored anyway is sent nowhere by a test", async () => {
    await storeOrphans(...secretNames);
    const endpoint = `redis://127.0.0.1:${sink.port}`;
    const redis = await calls.tell("POST", "/test-redis", { endpoint });
    expect([redis.status, errorsOf(redis)]).toEqual([422, enterAgain(["password"])]);
    const typed = { bucket: "files", endpointS3: `http://127.0.0.1:${sink.port}` };
    for (const [body, paths] of [
      [typed, ["token", "accessKeyId", "secretAccessKey"]],
      [{ ...typed, token: null, accessKeyId: goodBucket.accessKeyId }, ["secretAccessKey"]],
      [
        { ...typed, accessKeyId: goodBucket.accessKeyId, secretAccessKey: goodBucket.secretAccessKey },
        ["token"],
      ],
    ] as const) {
      const answered = await calls.tell("POST", "/test-r2", body);
      expect([answered.status, errorsOf(answered)]).toEqual([422, enterAgain(paths)]);
    }
    expect(sink.connections).toBe(0);
  });
});
