import { beforeEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { settingSecrets } from "#api/db/schema.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { testSecrets } from "#api/testing/context.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { emptyCredentials, goodBucket, saidInLog, settingsCalls } from "#api/testing/settings-calls.ts";
import { stayProven } from "#api/testing/stay-proven.ts";
import type { SecretName } from "#contract/credential-settings.ts";
import { serverOf } from "#contract/endpoints.ts";
import { settingsTexts } from "#contract/settings.ts";
import { clientSecretOf, openSecret, sealSecret, secretNames } from "./store.ts";

const endpoint = "redis://redis.example";
const password = "canary-password";
const name = "redis.password";

describe("S5: a sealed secret", () => {
  test("opens for its name and its server alone", () => {
    const sealed = sealSecret(testSecrets, { name, value: password, endpoint });
    expect(openSecret(testSecrets, { name, sealed, endpoint: `${endpoint}:6379/3` })).toEqual({
      value: password,
      fault: null,
    });
    for (const other of ["", "redis://evil.example", "redis://redis.example:6380", "rediss://redis.example"])
      expect(openSecret(testSecrets, { name, sealed, endpoint: other })).toEqual({
        value: null,
        fault: "for_another_server",
      });
    for (const other of secretNames.filter((known) => known !== name))
      expect(openSecret(testSecrets, { name: other, sealed, endpoint })).toEqual({
        value: null,
        fault: "damaged_or_moved",
      });
  });

  test("of a sign-in provider opens for its whole issuer alone", () => {
    const issuer = "https://id.example/tenant";
    const own = { name: clientSecretOf("acme") };
    const sealed = sealSecret(testSecrets, { ...own, value: password, endpoint: issuer });
    const valueAt = (endpoint: string) => openSecret(testSecrets, { ...own, sealed, endpoint }).value;
    expect(["", "2", "/other"].map((rest) => valueAt(`${issuer}${rest}`))).toEqual([password, null, null]);
  });

  test("is nowhere the same twice: 100,000 nonces of one secret are all different", () => {
    const nonces = new Set<string>();
    for (let made = 0; made < 100_000; made += 1) {
      const sealed = sealSecret(testSecrets, { name, value: password, endpoint });
      nonces.add(Buffer.from(sealed.subarray(5, 17)).toString("latin1"));
    }
    expect(nonces.size).toBe(100_000);
  });

  test("that is no envelope, or holds no secret, does not open and throws nothing", () => {
    const seal = (text: string) =>
      testSecrets.seal("settings", `setting_secrets:sealed:${name}`, new TextEncoder().encode(text));
    for (const sealed of [
      new Uint8Array(),
      new Uint8Array(3),
      seal("plain"),
      seal("[]"),
      seal('["",1]'),
      seal("null"),
    ])
      expect(openSecret(testSecrets, { name, sealed, endpoint: "" }).value).toBeNull();
  });
});

const host = await hostForFile({ hasher: createCheapHasher(), settings: "stored" });
const admin = await host.signedIn("admin");
await stayProven(host, admin);
const calls = settingsCalls(admin);
const recorded = createActivityReader(host.services);

const systemStatus = async (): Promise<unknown> =>
  (await (await admin.call("GET", "/api/system/status")).json()).data;

const readSealed = async (of: SecretName): Promise<Uint8Array> => {
  const [row] = await host.db.select().from(settingSecrets).where(eq(settingSecrets.name, of));
  if (row === undefined) throw new Error("nothing is sealed");
  return row.sealed;
};
const writeSealed = (of: SecretName, sealed: Uint8Array) =>
  host.db.update(settingSecrets).set({ sealed }).where(eq(settingSecrets.name, of));

/** Writes a secret's row anew with one byte changed. */
const alter = async (of: SecretName, change: (bytes: Uint8Array) => void): Promise<void> => {
  const sealed = new Uint8Array(await readSealed(of));
  change(sealed);
  await writeSealed(of, sealed);
};
const flip = (at: number) => () =>
  alter("redis.password", (bytes) => {
    const index = at < 0 ? bytes.length + at : at;
    bytes[index] = (bytes[index] ?? 0) ^ 1;
  });
const stranger = createSecretBox(new Uint8Array(32).fill(9));

/** Ways to tamper with what is stored, and the fault that is told. */
const tampered: [what: string, tamper: () => Promise<unknown>, fault: string][] = [
  ["version", flip(0), "not_an_envelope"],
  ["key id", flip(2), "unknown_key"],
  ["nonce", flip(8), "damaged_or_moved"],
  ["text", flip(20), "damaged_or_moved"],
  ["tag", flip(-1), "damaged_or_moved"],
  ["length", async () => writeSealed(name, (await readSealed(name)).slice(0, -1)), "damaged_or_moved"],
  ["content, which is empty,", () => writeSealed(name, new Uint8Array()), "not_an_envelope"],
  ["version, an older one,", () => alter(name, (bytes) => bytes.set([0], 0)), "not_an_envelope"],
  [
    "key, another installation's,",
    () => writeSealed(name, sealSecret(stranger, { name, value: password, endpoint })),
    "unknown_key",
  ],
  [
    "row, another secret's,",
    async () => writeSealed(name, await readSealed("cloudflareR2.secretAccessKey")),
    "damaged_or_moved",
  ],
  [
    "server, which someone wrote into the table of settings,",
    () =>
      host.db.execute(
        sql`update settings set value = '{"endpoint":"redis://evil.example"}' where section = 'redis'`,
      ),
    "for_another_server",
  ],
];

describe.each(tampered)("S5: a stored secret whose %s was tampered with", (_, tamper, fault) => {
  beforeEach(async () => {
    await emptyCredentials(calls);
    await calls.save({ redis: { endpoint, password }, cloudflareR2: goodBucket });
    await host.services.settings.refresh();
    host.clock.advance(61_000);
    await recorded();
    host.logs.length = 0;
    await tamper();
    await host.services.settings.refresh();
  });

  test("keeps its service from being used, says so as critical, and leaves everything else alone", async () => {
    const { redis, bucket } = host.services.settings.current;
    expect(redis).toBeNull();
    expect(bucket?.secretAccessKey).toBe(goodBucket.secretAccessKey);
    expect(host.logs.filter(({ level }) => level === "error")).toMatchObject([
      { fields: { code: "SETTING_DAMAGED", severity: "critical", setting: name, fault } },
    ]);
    expect(await recorded()).toMatchObject([
      { type: "suspicious_activity", severity: "critical", description: expect.stringContaining(name) },
    ]);
    expect((await host.visitor().call("GET", "/api/health")).status).toBe(200);
    expect(await calls.credentials()).toMatchObject({
      redis: { hasPassword: false },
      cloudflareR2: { hasToken: true, hasSecretAccessKey: true },
    });
    expect(saidInLog(host)).not.toContain(password);
  });

  test("shows its service as away, with what to do, until it is entered again", async () => {
    const { endpoint: saved } = Object(Reflect.get(Object(await calls.credentials()), "redis"));
    expect(await systemStatus()).toMatchObject({
      redis: {
        ...{ state: "away", source: "settings", server: serverOf(saved).replace("redis://", "") },
        ...{ since: host.clock.now().toISOString(), reason: settingsTexts.secretLocked },
      },
      storage: { state: "unused", reason: null },
    });
    await calls.save({ redis: { endpoint, password: "entered again" } });
    expect(await systemStatus()).toMatchObject({ redis: { state: "unused", reason: null } });
  });

  test("is refused by a test with a coded error, and works again once it is entered again", async () => {
    const { status, answer } = await calls.tell("POST", "/test-redis", {});
    expect([status, answer.code]).toEqual([422, "VALIDATION_FAILED"]);
    expect(answer.errors).toEqual([{ path: "password", message: settingsTexts.secretUnreadable }]);
    expect((await calls.save({ redis: { endpoint, password: "entered again" } })).status).toBe(200);
    expect(host.services.settings.current.redis).toMatchObject({ url: endpoint, password: "entered again" });
  });

  test("is removed when its endpoint changes, and is not asked for", async () => {
    expect((await calls.save({ redis: { endpoint: "redis://other.example" } })).status).toBe(200);
    expect(host.services.settings.current.redis).toEqual({
      ...{ url: "redis://other.example", password: null, source: "settings" },
    });
  });
});

test("S5: two secrets of a bucket that were swapped make it away, and a lost token does not", async () => {
  await calls.save({ cloudflareR2: goodBucket });
  const [one, two] = [
    await readSealed("cloudflareR2.accessKeyId"),
    await readSealed("cloudflareR2.secretAccessKey"),
  ];
  await writeSealed("cloudflareR2.accessKeyId", two);
  await writeSealed("cloudflareR2.secretAccessKey", one);
  await host.services.settings.refresh();
  expect(host.services.settings.current.bucket).toBeNull();
  const away = { state: "away", server: goodBucket.endpointS3, reason: settingsTexts.secretLocked };
  expect(await systemStatus()).toMatchObject({ storage: { ...away, source: "settings", home: "database" } });
  const { status, answer } = await calls.tell("POST", "/test-r2", {});
  expect([status, answer.errors]).toEqual([
    422,
    ["accessKeyId", "secretAccessKey"].map((path) => ({ path, message: settingsTexts.secretUnreadable })),
  ]);
  await calls.save({ cloudflareR2: goodBucket });
  await alter("cloudflareR2.token", (bytes) => bytes.fill(0));
  await host.services.settings.refresh();
  expect(await systemStatus()).toMatchObject({ storage: { state: "unused" } });
  // Without a bucket's name it is not set up, whatever its keys are.
  await writeSealed("cloudflareR2.accessKeyId", two);
  await calls.save({ cloudflareR2: { bucket: "" } });
  expect(await systemStatus()).toMatchObject({ storage: { state: "unused" } });
});
