import { beforeEach, expect, test } from "bun:test";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { testContext } from "#api/testing/context.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { idleBackup } from "#api/testing/idle-backups.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import { listBackups, recipientComplaint } from "./change-backups.ts";
import { noSchedule } from "./schedule.ts";

const path = "/api/admin/backups/schedule";

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");
const recorded = createActivityReader(host.services);
const recipient = await identityToRecipient(await generateX25519Identity());
const misspelt = `${recipient.slice(0, -1)}${recipient.endsWith("q") ? "p" : "q"}`;
beforeEach(async () => {
  expect((await admin.call("PUT", path, noSchedule)).status).toBe(200);
});

const current = async () => (await (await admin.call("GET", "/api/admin/backups")).json()).data.schedule;

test("a recipient is one only with the right checksum", async () => {
  expect(await recipientComplaint(recipient)).toBeNull();
  for (const text of [misspelt, recipient.slice(0, -1), "age1nonsense", ""])
    expect([text, await recipientComplaint(text)]).toEqual([text, backupTexts.badRecipient]);
});

test("a schedule for a recipient with a wrong checksum is refused at its field, and nothing is changed", async () => {
  const before = await current();
  const refused = await admin.call("PUT", path, { isEnabled: true, recipients: [recipient, misspelt] });
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({
    code: "VALIDATION_FAILED",
    errors: [{ path: "recipients.1", message: backupTexts.badRecipient }],
  });
  expect(await current()).toEqual(before);
});

test.each([
  [{ hours: 169 }, backupTexts.badHours],
  [{ hours: 0.5 }, backupTexts.badHours],
  [{ dailyAt: "24:00" }, backupTexts.badTime],
  [{ hours: 6, dailyAt: "03:00" }, backupTexts.badEvery],
  [{}, backupTexts.badEvery],
  ["daily", backupTexts.badEvery],
])("a schedule every %j is refused with what would do, and nothing is changed", async (every, message) => {
  const before = await current();
  const refused = await admin.call("PUT", path, { every });
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { errors: [{ path: "every", message }] },
  ]);
  expect(await current()).toEqual(before);
});

test("a changed schedule is in the log with time, place, retention and encryption, as they were and as they are", async () => {
  await recorded();
  const change = { isEnabled: true, every: { hours: 6 }, keepLast: null, keepDays: 30 };
  expect((await admin.call("PUT", path, { ...change, recipients: [recipient] })).status).toBe(200);
  const [row, ...more] = (await recorded()).filter(({ type }) => type === "configuration_changed");
  expect(more).toEqual([]);
  expect(row).toMatchObject({ action: "Changed the backup schedule", userId: admin.user?.id });
  expect(JSON.parse(row?.changes ?? "null")).toEqual({
    before: { ...noSchedule, isEncrypted: false },
    after: { ...noSchedule, ...change, recipients: [recipient], isEncrypted: true },
  });
});

test("a plan says where a backup would go, whether it would be encrypted, and whether the key would be in it", async () => {
  const planned = async (name: string, input: object) =>
    (await (await admin.call("POST", `/api/plan/backups.${name}`, input)).json()).data.summary;
  const keyless = "without the installation's key";
  expect(await planned("create", {})).toBe(`Would back up to the data folder, not encrypted, ${keyless}`);
  expect(await planned("create", { place: "storage", recipients: [recipient] })).toBe(
    `Would back up to object storage, encrypted, ${keyless}`,
  );
  expect((await admin.call("PUT", path, { recipients: [recipient] })).status).toBe(200);
  expect(await planned("create", { place: "handover" })).toBe(
    `Would back up to a file, encrypted, ${keyless}`,
  );
  expect(await planned("setSchedule", { isEnabled: true, every: { hours: 6 }, place: "folder" })).toBe(
    "Would back up automatically to the data folder every 6 hours",
  );
  expect(await planned("setSchedule", { isEnabled: true, every: { dailyAt: "03:00" } })).toBe(
    "Would back up automatically to the data folder daily at 03:00 UTC",
  );
  expect(await planned("setSchedule", { keepLast: 14 })).toBe(
    "Would change the schedule; automatic backups stay off",
  );
  expect((await admin.call("PUT", path, { isEnabled: true })).status).toBe(200);
  expect(await planned("setSchedule", { isEnabled: false })).toBe("Would stop automatic backups");
});

test("a response that says that a backup is done also lists it", async () => {
  const ctx = testContext({ db: host.db, actor: { kind: "operator" } });
  const { backups: idle } = ctx;
  const run = await idle.claim(host.db, {
    place: "folder",
    recipients: [],
    isScheduled: false,
    isWithKey: false,
  });
  // It ends while the list is read.
  let isOver = false;
  const list = async () => {
    isOver = true;
    return { backups: [], storageFault: null };
  };
  const backups = {
    ...idle,
    list,
    run: async () => ({ ...run, state: isOver ? "done" : "running" }) as const,
  };
  expect(await listBackups({ ...ctx, backups })).toMatchObject({ backups: [], run: { state: "running" } });
});

const proof = {
  name: "atrium.tar.zst",
  madeAt: "2026-11-21T03:00:00.000Z",
  keyFingerprint: null,
  isSound: true,
};
const asOperator = (body: object) =>
  host.app.handle(
    new Request("http://localhost/api/admin/backups/proof", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
    { via: "socket" },
  );
const health = async () => (await (await admin.call("GET", "/api/admin/backups/health")).json()).data;

test("a trial restore at the terminal is shown with its outcome and is in the log, unless it was of another installation", async () => {
  expect((await health()).proof).toBeNull();
  await recorded();
  const other = await asOperator({ ...proof, keyFingerprint: "0011223344556677" });
  expect([other.status, (await other.json()).message]).toEqual([409, backupTexts.notOurs]);
  expect((await health()).proof).toBeNull();
  expect((await recorded()).map(({ status }) => status)).toEqual(["failure"]);
  for (const isSound of [true, false]) {
    expect((await asOperator({ ...proof, isSound })).status).toBe(200);
    const { name, madeAt } = proof;
    expect((await health()).proof).toEqual({ at: host.clock.now().toISOString(), name, madeAt, isSound });
    expect(await recorded()).toMatchObject([
      {
        action: "Verified a backup",
        status: isSound ? "success" : "failure",
        description: `atrium.tar.zst, made at 2026-11-21T03:00:00.000Z: ${isSound ? "sound" : "not sound"}`,
      },
    ]);
  }
});

test("what is wrong with the outcome of a trial restore is told in words of its own, by field", async () => {
  const wrong = { name: "", madeAt: "yesterday", keyFingerprint: "a".repeat(101), isSound: "yes" };
  const answer = await asOperator(wrong);
  const { errors } = await answer.json();
  expect([answer.status, errors.map(({ path }: { path: string }) => path)]).toEqual([
    422,
    Object.keys(wrong),
  ]);
  for (const { message } of errors) expect(message).toStartWith("Please ");
});

test("health tells the same as the list, without asking where backups lie", async () => {
  const { backups, storageFault, hasStorage, ...rest } = (
    await (await admin.call("GET", "/api/admin/backups")).json()
  ).data;
  expect([backups.length, storageFault, hasStorage]).toEqual([1, null, false]);
  expect(await health()).toEqual(rest);
});

test("an API token for copies elsewhere lists backups and downloads encrypted ones, and does no more", async () => {
  const client = await newTokenClient(host, { scopes: ["backups:read"] });
  const all = "/api/admin/backups";
  const download = `${all}/folder/${idleBackup}/download`;
  expect((await client.call("GET", all)).status).toBe(200);
  expect((await client.call("GET", download.replace(".zst", ".zst.age"))).status).toBe(404);
  expect(await (await client.call("GET", download)).json()).toMatchObject({ code: "SESSION_REQUIRED" });
  const made = await client.call("POST", all, { recipients: [recipient] });
  expect(await made.json()).toMatchObject({ code: "FORBIDDEN" });
});

test("an API token makes and downloads only encrypted backups, a signed-in admin any", async () => {
  const client = await newTokenClient(host);
  const make = "/api/admin/backups";
  const download = `${make}/folder/${idleBackup}/download`;
  const codes = [await client.call("POST", make, { recipients: [] }), await client.call("GET", download)];
  for (const answer of codes) expect(await answer.json()).toMatchObject({ code: "SESSION_REQUIRED" });
  expect((await client.call("POST", make, { recipients: [recipient] })).ok).toBe(true);
  expect((await client.call("GET", download.replace(".zst", ".zst.age"))).status).toBe(404);
  expect((await admin.call("GET", download)).status).toBe(200);
  expect((await admin.call("POST", make, { recipients: [] })).ok).toBe(true);
});
