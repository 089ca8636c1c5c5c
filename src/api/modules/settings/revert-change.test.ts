import { beforeEach, describe, expect, test } from "bun:test";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { operatorClient } from "#api/testing/host.ts";
import { emptyCredentials, goodBucket, settingsCalls } from "#api/testing/settings-calls.ts";
import { coreSettings } from "#contract/core-settings.ts";
import { settingsTexts } from "#contract/settings.ts";
import type { SettingsChange } from "./contract.ts";

const host = await hostForFile({ hasher: createCheapHasher(), settings: "stored" });
const admin = await host.signedIn("admin");
const calls = settingsCalls(admin);
const recorded = createActivityReader(host.services);
beforeEach(async () => {
  await emptyCredentials(calls);
  await calls.saveCore(coreSettings.defaults);
});

const list = async (query = ""): Promise<{ changes: SettingsChange[]; pagination: unknown }> => {
  const { status, answer } = await calls.tell("GET", `/history${query}`);
  expect(status).toBe(200);
  return Object(answer.data);
};
const newest = async (): Promise<SettingsChange> => {
  const [change] = (await list("?limit=1")).changes;
  if (change === undefined) throw new Error("there is no change");
  return change;
};
const revert = (id: number | string) => calls.tell("POST", `/history/${id}/revert`);
const current = () => host.services.settings.current;

describe("the history of settings", () => {
  test("is paged by id, newest first, with the total", async () => {
    for (const maxRequests of [201, 202, 203, 204, 205])
      await calls.saveCore({ rateLimiting: { maxRequests } });
    const first = await list("?limit=2");
    const next = await list(`?limit=2&before=${first.changes.at(-1)?.id}`);
    const afters = [...first.changes, ...next.changes].map(({ fields }) =>
      Reflect.get(Object(fields[0]), "after"),
    );
    expect(afters).toEqual([205, 204, 203, 202]);
    const { pagination, changes } = await list();
    expect(first.pagination).toEqual({ total: Reflect.get(Object(pagination), "total"), limit: 2 });
    expect(changes.map(({ id }) => id)).toEqual(changes.map(({ id }) => id).sort((a, b) => b - a));
    expect((await list("?before=1")).changes).toEqual([]);
  });

  test.each(["limit=0", "limit=101", "limit=x", "before=0", "before=-1", "before=1.5", "offset=1"])(
    "L6: is not read with %s",
    async (query) => expect((await calls.tell("GET", `/history?${query}`)).status).toBe(422),
  );

  test("names the operator where there was no admin", async () => {
    const change = { security: { helmetEnabled: false } };
    expect((await operatorClient(host).call("PUT", "/api/auth/settings/core", change)).status).toBe(200);
    expect(await newest()).toMatchObject({ by: "operator" });
  });
});

describe("a change that is taken back", () => {
  test("restores the former values immediately, and is a change itself that can be reverted", async () => {
    await calls.saveCore({ rateLimiting: { maxRequests: 400 }, security: { corsEnabled: false } });
    const change = await newest();
    await recorded();
    const { status, answer } = await revert(change.id);
    expect([status, answer.message]).toEqual([200, settingsTexts.reverted]);
    expect(answer.data).toMatchObject({
      ...{ section: "core", by: admin.user?.email, reverts: change.id, canRevert: true },
      fields: [
        { path: "rateLimiting.maxRequests", before: 400, after: 100 },
        { path: "security.corsEnabled", before: false, after: true },
      ],
    });
    expect(await calls.core()).toEqual(coreSettings.defaults);
    expect(current().core).toEqual(coreSettings.defaults);
    expect(await recorded()).toMatchObject([
      { type: "configuration_changed", action: "Reverted a change of settings", status: "success" },
    ]);
    expect((await revert((await newest()).id)).status).toBe(200);
    expect(current().core.rateLimiting.maxRequests).toBe(400);
  });

  test("is refused when something of it was changed again later, and says so in the list", async () => {
    await calls.saveCore({ rateLimiting: { maxRequests: 400 }, security: { corsEnabled: false } });
    const first = await newest();
    await calls.saveCore({ security: { trustProxy: false } });
    expect((await list("?limit=2")).changes.map(({ canRevert }) => canRevert)).toEqual([true, true]);
    await calls.saveCore({ rateLimiting: { maxRequests: 500 } });
    expect((await list("?limit=3")).changes.map(({ canRevert }) => canRevert)).toEqual([true, true, false]);
    const { status, answer } = await revert(first.id);
    expect([status, answer.code, answer.message]).toEqual([409, "CONFLICT", settingsTexts.changedSince]);
    expect(current().core.rateLimiting.maxRequests).toBe(500);
  });

  test("is refused when it was about secrets alone: those are kept nowhere", async () => {
    await calls.save({ cloudflareR2: { endpointS3: goodBucket.endpointS3 } });
    await calls.save({ cloudflareR2: { token: goodBucket.token } });
    const change = await newest();
    expect(change.canRevert).toBe(false);
    const { status, answer } = await revert(change.id);
    expect([status, answer.message]).toEqual([409, settingsTexts.nothingToRevert]);
  });

  test("keeps the secrets that were entered with it as long as the server stays", async () => {
    await calls.save({ redis: { endpoint: "redis://redis.example/1", password: "p" } });
    await calls.save({ redis: { endpoint: "redis://redis.example/2", password: "q" } });
    expect((await revert((await newest()).id)).answer.message).toBe(settingsTexts.reverted);
    expect(current().redis).toMatchObject({ url: "redis://redis.example/1", password: "q" });
  });

  test("S2: never sends a secret to the server that it goes back to", async () => {
    await calls.save({ redis: { endpoint: "redis://old.example", password: "of the old one" } });
    await calls.save({ redis: { endpoint: "redis://new.example", password: "of the new one" } });
    const { status, answer } = await revert((await newest()).id);
    expect([status, answer.message]).toEqual([200, settingsTexts.revertedWithoutSecrets]);
    expect(current().redis).toEqual({ url: "redis://old.example", password: null, source: "settings" });
    expect((await newest()).fields.at(-1)).toEqual({
      path: "redis.password",
      isSecret: true,
      deed: "removed",
    });
    // Not even by going back and forth.
    await revert((await newest()).id);
    expect(current().redis).toMatchObject({ url: "redis://new.example", password: null });
  });

  test("names the secrets that would be deleted beforehand, and those alone", async () => {
    await calls.save({ redis: { endpoint: "redis://old.example", password: "p" } });
    await calls.save({ redis: { endpoint: "rediss://old.example" } });
    expect((await newest()).losesSecrets).toEqual(["redis.password"]);
    // The password went along to the same server, and would not come back from TLS.
    expect(current().redis?.password).toBe("p");
    await calls.save({ redis: { endpoint: "rediss://old.example/2" } });
    expect((await list("?limit=3")).changes.map(({ losesSecrets }) => losesSecrets)).toEqual([[], [], []]);
    await calls.save({ cloudflareR2: goodBucket });
    expect((await newest()).losesSecrets).toEqual([
      "cloudflareR2.token",
      "cloudflareR2.accessKeyId",
      "cloudflareR2.secretAccessKey",
    ]);
    await calls.saveCore({ rateLimiting: { maxRequests: 400 } });
    expect((await newest()).losesSecrets).toEqual([]);
  });

  test("that would be deleted by taking back the taking back are named in the answer too", async () => {
    await calls.save({ redis: { endpoint: "rediss://old.example", password: "p" } });
    await calls.save({ redis: { endpoint: "redis://old.example", password: "q" } });
    const { answer } = await revert((await newest()).id);
    expect(current().redis).toMatchObject({ url: "rediss://old.example", password: "q" });
    expect(Object(answer.data).losesSecrets).toEqual(["redis.password"]);
  });

  test("of a first saving empties the service again, secrets and all", async () => {
    await calls.save({ cloudflareR2: goodBucket });
    expect(current().bucket).not.toBeNull();
    const { status, answer } = await revert((await newest()).id);
    expect([status, answer.message]).toEqual([200, settingsTexts.revertedAndEmptied]);
    expect(Object(answer.data).losesSecrets).toEqual([]);
    expect(await calls.credentials()).toMatchObject({
      cloudflareR2: { bucket: "", endpointS3: "", hasToken: false, hasAccessKeyId: false },
    });
  });

  test.each(["0", "-1", "999999999", "none", "1e3", "9".repeat(30)])("is not found as %s", async (id) => {
    const { status, answer } = await revert(id);
    expect([status, answer.code, answer.message]).toEqual([404, "NOT_FOUND", settingsTexts.unknownChange]);
  });

  test("is taken back once by two admins at the same time", async () => {
    await calls.saveCore({ rateLimiting: { maxRequests: 600 } });
    const { id } = await newest();
    const statuses = await Promise.all([revert(id), revert(id), revert(id)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(current().core.rateLimiting.maxRequests).toBe(100);
  });
});
