import { beforeEach, describe, expect, test } from "bun:test";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { emptyCredentials, goodBucket, r2Endpoint, settingsCalls } from "#api/testing/settings-calls.ts";
import { settingsTexts } from "#contract/settings.ts";

const host = await hostForFile({ hasher: createCheapHasher(), settings: "stored" });
const admin = await host.signedIn("admin");
const calls = settingsCalls(admin);
const recorded = createActivityReader(host.services);
beforeEach(() => emptyCredentials(calls));

const nothing = {
  redis: { endpoint: "", hasPassword: false },
  cloudflareR2: {
    ...{ bucket: "", token: "", accessKeyId: "", secretAccessKey: "", endpointS3: "" },
    ...{ hasToken: false, hasAccessKeyId: false, hasSecretAccessKey: false },
    otherEndpoints: [],
  },
};
const current = () => host.services.settings.current;
const errorsOf = ({ answer }: { answer: Record<string, unknown> }): unknown => answer.errors;

describe("external services", () => {
  test("are empty until an admin saves them", async () => {
    expect(await calls.credentials()).toEqual(nothing);
    expect(current()).toMatchObject({ redis: null, bucket: null });
  });

  test("are saved, answered without their secrets and in use before the answer comes", async () => {
    const redis = { endpoint: "rediss://default@redis.example:6380/2", password: " a password " };
    const { status, answer } = await calls.save({ redis, cloudflareR2: goodBucket });
    const shown = {
      redis: { endpoint: redis.endpoint, hasPassword: true },
      cloudflareR2: {
        ...{ bucket: goodBucket.bucket, token: "", accessKeyId: "", secretAccessKey: "" },
        otherEndpoints: [],
        ...{
          endpointS3: goodBucket.endpointS3,
          hasToken: true,
          hasAccessKeyId: true,
          hasSecretAccessKey: true,
        },
      },
    };
    expect({ status, answer }).toEqual({
      status: 200,
      answer: { success: true, message: settingsTexts.servicesSaved, data: shown },
    });
    expect(await calls.credentials()).toEqual(shown);
    const { endpointS3: endpoint, ...keys } = goodBucket;
    expect(current()).toMatchObject({
      redis: { url: redis.endpoint, password: redis.password, source: "settings" },
      bucket: { endpoint, ...keys },
    });
  });

  test("are brought into one form: trimmed, hosts in small letters, no slash at the end", async () => {
    await calls.save({
      redis: { endpoint: "  redis://Redis.Example:6379/0 " },
      cloudflareR2: {
        ...{ bucket: " abc ", endpointS3: ` ${r2Endpoint("A")}/ ` },
        ...{
          accessKeyId: ` ${goodBucket.accessKeyId}\n`,
          secretAccessKey: `\t${goodBucket.secretAccessKey} `,
        },
      },
    });
    expect(await calls.credentials()).toMatchObject({
      redis: { endpoint: "redis://redis.example:6379/0" },
      cloudflareR2: { bucket: "abc", endpointS3: r2Endpoint("a") },
    });
    const { accessKeyId, secretAccessKey } = goodBucket;
    expect(current().bucket).toMatchObject({ accessKeyId, secretAccessKey, token: null });
  });

  test("keep a password from the endpoint's URL as a secret", async () => {
    const { answer } = await calls.save({ redis: { endpoint: "redis://user:p%40ss@redis.example" } });
    expect(answer.data).toMatchObject({
      redis: { endpoint: "redis://user@redis.example", hasPassword: true },
    });
    expect(current().redis?.password).toBe("p@ss");
    await calls.save({ redis: { endpoint: "redis://user:another@redis.example", password: "the field's" } });
    expect(current().redis?.password).toBe("the field's");
  });

  test("keep what is left out, secrets that are empty, and lose those that are null", async () => {
    await calls.save({
      redis: { endpoint: "redis://redis.example", password: "p" },
      cloudflareR2: goodBucket,
    });
    for (const body of [
      {},
      { redis: {} },
      { redis: { endpoint: "redis://redis.example", password: "" } },
      { cloudflareR2: { bucket: "another-name" } },
      { cloudflareR2: { token: "", accessKeyId: "  ", secretAccessKey: "" } },
    ])
      expect((await calls.save(body)).status).toBe(200);
    expect(current()).toMatchObject({
      redis: { password: "p" },
      bucket: { bucket: "another-name", accessKeyId: goodBucket.accessKeyId, token: goodBucket.token },
    });
    await calls.save({ redis: { password: null }, cloudflareR2: { token: null } });
    expect(current()).toMatchObject({ redis: { password: null }, bucket: { token: null } });
    await calls.save({ cloudflareR2: { secretAccessKey: null } });
    expect(current().bucket).toBeNull();
  });

  test("lose the secrets of an endpoint that is emptied, and the answer says so", async () => {
    await calls.save({
      redis: { endpoint: "redis://redis.example", password: "p" },
      cloudflareR2: goodBucket,
    });
    const emptied = await calls.save({ redis: { endpoint: "" }, cloudflareR2: { endpointS3: "" } });
    expect(emptied.answer.message).toBe(settingsTexts.servicesSavedAndEmptied);
    expect(await calls.credentials()).toEqual({
      ...nothing,
      cloudflareR2: { ...nothing.cloudflareR2, bucket: goodBucket.bucket },
    });
    await calls.save({ redis: { endpoint: "redis://redis.example" } });
    expect(current().redis?.password).toBeNull();
  });

  test("take everything but the secrets before their endpoint, and use it once all is there", async () => {
    const { endpointS3, bucket, ...keys } = goodBucket;
    await calls.save({ cloudflareR2: { bucket } });
    expect(current().bucket).toBeNull();
    expect((await calls.save({ cloudflareR2: { endpointS3, ...keys } })).status).toBe(200);
    expect(current().bucket?.secretAccessKey).toBe(goodBucket.secretAccessKey);
  });
});

describe("S2: an endpoint that goes to another server", () => {
  test("takes no stored secret along: each must be entered again, and until then nothing changes", async () => {
    await calls.save({
      redis: { endpoint: "redis://redis.example", password: "p" },
      cloudflareR2: goodBucket,
    });
    const before = await contentsOf(host.db);
    const moved = await calls.save({
      redis: { endpoint: "redis://evil.example", password: "" },
      cloudflareR2: { endpointS3: r2Endpoint("b"), accessKeyId: "new-access-key-0002" },
    });
    expect(moved.status).toBe(422);
    expect(errorsOf(moved)).toEqual(
      ["redis.password", "cloudflareR2.token", "cloudflareR2.secretAccessKey"].map((path) => ({
        path,
        message: settingsTexts.enterAgain,
      })),
    );
    expect((await contentsOf(host.db)).filter((row) => !row.startsWith("activit"))).toEqual(
      before.filter((row) => !row.startsWith("activit")),
    );
    expect(current().redis).toMatchObject({ url: "redis://redis.example", password: "p" });
  });

  test.each(["redis://redis.example:6380", "redis://localhost", "redis://user@other.example"])(
    "such as %s",
    async (endpoint) => {
      await calls.save({ redis: { endpoint: "rediss://redis.example", password: "p" } });
      expect((await calls.save({ redis: { endpoint } })).status).toBe(422);
      expect((await calls.save({ redis: { endpoint, password: "again" } })).status).toBe(200);
      expect(current().redis).toMatchObject({ url: endpoint, password: "again" });
    },
  );

  test("does not send in the clear what went through TLS before", async () => {
    await calls.save({ redis: { endpoint: "rediss://redis.example", password: "p" } });
    expect((await calls.save({ redis: { endpoint: "redis://redis.example" } })).status).toBe(422);
  });

  test("can do without the secret when that is removed by name", async () => {
    await calls.save({ redis: { endpoint: "redis://redis.example", password: "p" } });
    await calls.save({ redis: { endpoint: "redis://other.example", password: null } });
    expect(current().redis).toMatchObject({ url: "redis://other.example", password: null });
  });

  test("is none while user, database or an added TLS is all that changes", async () => {
    await calls.save({ redis: { endpoint: "redis://redis.example", password: "p" } });
    for (const endpoint of ["redis://user@redis.example:6379/3", "rediss://redis.example"]) {
      expect((await calls.save({ redis: { endpoint } })).status).toBe(200);
      expect(current().redis).toMatchObject({ url: endpoint, password: "p" });
    }
  });
});

describe("a change of external services", () => {
  test("is recorded in the log and the history; of secrets, only what was done", async () => {
    await calls.save({
      redis: { endpoint: "redis://old.example", password: "old" },
      cloudflareR2: { endpointS3: r2Endpoint() },
    });
    await recorded();
    await calls.save({
      redis: { endpoint: "redis://new.example", password: "new" },
      cloudflareR2: { token: goodBucket.token },
    });
    const [row, ...more] = await recorded();
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      type: "configuration_changed",
      status: "success",
      severity: "high",
      action: "Changed external services",
      description: "redis.endpoint, redis.password replaced, cloudflareR2.token set",
      userId: admin.user?.id,
      changes: JSON.stringify({
        before: { "redis.endpoint": "redis://old.example" },
        after: {
          "redis.endpoint": "redis://new.example",
          sealed: ["redis.password replaced", "cloudflareR2.token set"],
        },
      }),
    });
    // What was before is read first.
    expect(JSON.stringify(await calls.history("?limit=1"))).toMatch(/"path".+"isSecret".+"before".+"after"/);
    expect((await calls.history("?limit=1"))[0]).toMatchObject({
      section: "credentials",
      by: admin.user?.email,
      fields: [
        {
          ...{ path: "redis.endpoint", isSecret: false },
          ...{ before: "redis://old.example", after: "redis://new.example" },
        },
        { path: "redis.password", isSecret: true, deed: "replaced" },
        { path: "cloudflareR2.token", isSecret: true, deed: "set" },
      ],
      reverts: null,
      canRevert: true,
    });
  });

  test("that changes nothing writes nothing", async () => {
    const body = { redis: { endpoint: "redis://redis.example", password: "p" }, cloudflareR2: goodBucket };
    await calls.save(body);
    await recorded();
    const before = await contentsOf(host.db);
    for (const again of [
      body,
      {},
      { redis: { password: "" } },
      { redis: { endpoint: "redis://redis.example" } },
    ])
      expect((await calls.save(again)).status).toBe(200);
    expect(await contentsOf(host.db)).toEqual(before);
    expect(await recorded()).toEqual([]);
  });

  test("made many times concurrently is made in turn: the last response is what is stored, and none fails", async () => {
    const bodies = Array.from({ length: 12 }, (_, at) => ({
      redis: { endpoint: `redis://redis-${at}.example`, password: `password-${at}` },
    }));
    const answered: string[] = [];
    const statuses = await Promise.all(
      bodies.map(async (body) => {
        const { status } = await calls.save(body);
        answered.push(body.redis.endpoint);
        return status;
      }),
    );
    expect(statuses).toEqual(bodies.map(() => 200));
    const { redis } = current();
    // The password belongs to the very endpoint that it was sent with.
    expect(redis?.password).toBe(`password-${/\d+/.exec(redis?.url ?? "")?.[0]}`);
    const [newest] = await calls.history("?limit=1");
    expect(newest).toMatchObject({ fields: [{ after: redis?.url }, {}] });
    expect(answered).toHaveLength(bodies.length);
  });
});
