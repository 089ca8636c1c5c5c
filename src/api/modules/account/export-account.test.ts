import { describe, expect, test } from "bun:test";
import { eq, getTableColumns, getTableName, is, sql } from "drizzle-orm";
import { getTableConfig, PgTable, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { Context } from "#api/core/context.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import * as schema from "#api/db/schema.ts";
import {
  apiTokens,
  contactMessages,
  mails,
  recoveryCodes,
  signInFailures,
  tokens,
  totpSecrets,
  users,
} from "#api/db/schema.ts";
import { insertDevice } from "#api/modules/sessions/index.ts";
import { addMember, type Member } from "#api/testing/add-member.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addIdentity } from "#api/testing/identity/add-identity.ts";
import { changePassword } from "./change-password.ts";
import { deleteAccount } from "./delete-account.ts";
import { accountFile, exportAccount } from "./export-account.ts";
import { linkProvider, unlinkProvider } from "./linked-providers.ts";
import { endOtherSessions, endOwnSession, listOwnSessions, readAccount } from "./operations.ts";
import { notExported, personalData } from "./store.ts";

const database = await databaseForFile();

const textOf = async ({ ctx }: Pick<Member, "ctx">): Promise<string> => {
  const { pieces } = await exportAccount(ctx);
  return (await Array.fromAsync(pieces)).join("");
};

const writeMessages = (userId: string | null, message: string, count: number) =>
  database.db.insert(contactMessages).values(
    Array.from({ length: count }, (_, number) => ({
      id: newId(),
      name: "Ada",
      email: "ada@example.test",
      subject: "Support" as const,
      message: `${message} ${number}`,
      userId,
      ip: "192.0.2.7",
      userAgent: "test",
      idempotencyKey: `canary-${newToken(32)}`,
      contentHash: `canary-${newToken(32)}`,
    })),
  );

const apiToken = (createdBy: string | null): typeof apiTokens.$inferInsert => ({
  ...{ id: newId(), name: "ci", tokenHash: `canary-${newToken(32)}`, hint: "cana", createdBy },
  ...{ scopes: ["users:read"], allowedNetworks: [], lastUsedIp: "192.0.2.8" },
});

test("holds everything about the person, as indented JSON under a name with the date", async () => {
  const world = testContext(database);
  const { ctx, user } = await addMember(world);
  const now = ctx.clock.now();
  await insertDevice(database.db, { tokenHash: newToken(32), userId: user.id, now });
  const expiresAt = new Date(now.getTime() + 1);
  await database.db
    .insert(tokens)
    .values({ tokenHash: newToken(32), purpose: "reset", userId: user.id, expiresAt, createdAt: now });
  await database.db.insert(signInFailures).values({ emailKey: user.email, failures: 3, lastFailedAt: now });
  await addIdentity(database.db, { userId: user.id, provider: "google", subject: "42" });
  await database.db.insert(apiTokens).values(apiToken(user.id));
  await writeMessages(user.id, "Please help", 2);
  await database.db
    .insert(mails)
    .values({ id: newId(), recipient: user.email, subject: "Hello", status: "sent", sentAt: now });
  await addFactor(user.id, now);
  const { fileName, contentType } = await exportAccount(ctx);
  expect(fileName).toBe(`atrium-account-${now.toISOString().slice(0, 10)}.json`);
  expect(contentType).toStartWith("application/json");
  const text = await textOf({ ctx });
  const at = now.toISOString();
  const file = JSON.parse(text);
  expect(text).toBe(`${JSON.stringify(file, null, 2)}\n`);
  const { id, name, email } = user;
  expect(file).toMatchObject({
    exportedAt: at,
    profile: {
      id,
      name,
      email,
      emailVerifiedAt: at,
      role: "user",
      createdAt: at,
      updatedAt: at,
      lastSeenAt: at,
    },
    signInMethods: { password: true, googleId: "42", githubId: null },
    identities: [{ provider: "google", issuer: "https://id.example", subject: "42", linkedAt: null }],
    secondFactors: { authenticatorApp: { enabledAt: at }, passkeys: [], recoveryCodes: [{ createdAt: at }] },
    failedSignIns: { inARow: 3, lastFailedAt: at },
    knownDevices: [{ createdAt: at, lastUsedAt: at }],
    mailedLinks: [{ purpose: "reset", createdAt: at, expiresAt: expiresAt.toISOString(), usedAt: null }],
    sessions: [{ ip: "127.0.0.1", userAgent: "test", createdAt: at }],
    apiTokens: [{ name: "ci", scopes: ["users:read"], lastUsedIp: "192.0.2.8" }],
    contactMessages: [{ message: "Please help 0", ip: "192.0.2.7" }, { message: "Please help 1" }],
    mails: [{ subject: "Hello", status: "sent", sentAt: at }],
  });
});

const addFactor = async (userId: string, now: Date, canary = "unread") => {
  const secret = new TextEncoder().encode(canary);
  await database.db.insert(totpSecrets).values({ userId, secret, enabledAt: now });
  await database.db.insert(recoveryCodes).values({ userId, codeHash: hashToken(canary), createdAt: now });
};

test("each of its parts has the very columns that are said to be exported", async () => {
  const { ctx, user } = await addMember(testContext(database));
  await addIdentity(database.db, { userId: user.id, provider: "github", subject: "43" });
  await database.db.insert(apiTokens).values(apiToken(user.id));
  await writeMessages(user.id, "Please help", 1);
  await database.db.insert(mails).values({ id: newId(), recipient: user.email, subject: "Hello" });
  const file = JSON.parse(await textOf({ ctx }));
  const parts = {
    users: file.profile,
    identities: file.identities[0],
    sessions: file.sessions[0],
    apiTokens: file.apiTokens[0],
    contactMessages: file.contactMessages[0],
    mails: file.mails[0],
  };
  for (const [name, part] of Object.entries(parts)) {
    const { exported } = personalData[name as keyof typeof parts];
    expect(Object.keys(part)).toEqual(Object.keys(exported));
  }
});

test("S1: holds no hash, no token, no key and no text of an email", async () => {
  const world = testContext(database);
  const member = await addMember(world);
  const { ctx, user, person, token } = member;
  const now = ctx.clock.now();
  const canaries = Array.from({ length: 4 }, () => `canary-${newToken(32)}`);
  const [device = "", link = "", text = "", factor = ""] = canaries;
  await addFactor(user.id, now, factor);
  await insertDevice(database.db, { tokenHash: hashToken(device), userId: user.id, now });
  await database.db
    .insert(tokens)
    .values({ tokenHash: hashToken(link), purpose: "reset", userId: user.id, expiresAt: now });
  await database.db.insert(mails).values({
    id: newId(),
    recipient: user.email,
    subject: "Hello",
    content: new TextEncoder().encode(text),
  });
  await database.db.insert(apiTokens).values(apiToken(user.id));
  await writeMessages(user.id, "Please help", 1);
  const file = await textOf(member);
  const [row] = await database.db.select().from(users).where(eq(users.id, user.id));
  const secrets = [
    ...canaries,
    ...[device, link, token, factor].map(hashToken),
    token,
    person.password,
    row?.passwordHash ?? "argon2",
    "canary",
    "argon2",
  ];
  expect(secrets.filter((secret) => file.includes(secret))).toEqual([]);
});

test("holds nothing of anyone else's", async () => {
  const world = testContext(database);
  const [member, other] = [await addMember(world), await addMember(world)];
  await writeMessages(other.user.id, "a neighbour's message", 1);
  await writeMessages(null, "a visitor's message", 1);
  await database.db.insert(mails).values({ id: newId(), recipient: other.user.email, subject: "Theirs" });
  await database.db.insert(apiTokens).values([apiToken(other.user.id), apiToken(null)]);
  const file = await textOf(member);
  expect(JSON.parse(file)).toMatchObject({
    apiTokens: [],
    contactMessages: [],
    mails: [],
    failedSignIns: null,
  });
  for (const foreign of [other.user.id, other.user.email, "neighbour", "visitor", "Theirs"])
    expect(file).not.toContain(foreign);
});

test("is whole, however much there is, and comes in portions", async () => {
  const member = await addMember(testContext(database));
  await writeMessages(member.user.id, "x".repeat(1_000), 250);
  const { pieces } = await exportAccount(member.ctx);
  const parts = await Array.fromAsync(pieces);
  const { contactMessages: messages } = JSON.parse(parts.join(""));
  expect(new Set(messages.map(({ id }: { id: string }) => id)).size).toBe(250);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(150_000);
});

test("L1: text comes back exactly as it was written", async () => {
  const member = await addMember(testContext(database));
  const name = `</script><img src=x onerror=alert(1)> "\\u0000" ${"\u2028"} 😀`;
  await database.db.update(users).set({ name }).where(eq(users.id, member.user.id));
  expect(JSON.parse(await textOf(member)).profile.name).toBe(name);
});

test("to export is not to change anything", async () => {
  const world = testContext(database);
  const member = await addMember(world);
  const before = await contentsOf(database.db);
  await textOf(member);
  expect(await contentsOf(database.db)).toEqual(before);
});

describe("a file in pieces is what JSON.stringify makes of the whole, with", () => {
  const row = { a: "line\nbreak", b: [1], c: {} };
  test.each([
    ["empty lists", [[], []]],
    ["one row", [[row]]],
    ["portions that are empty in between", [[row], [], [row, row], []]],
  ])("%s", async (_title, portions) => {
    const head = { at: "now", list: [1, 2] };
    const portioned = async function* () {
      yield* portions;
    };
    const pieces = accountFile(head, [
      ["first", portioned()],
      ["second", portioned()],
    ]);
    const whole = { ...head, first: portions.flat(), second: portions.flat() };
    expect((await Array.fromAsync(pieces)).join("")).toBe(`${JSON.stringify(whole, null, 2)}\n`);
  });
});

test("a file that cannot be completed fails with a plain sentence, and the cause is in the log alone", async () => {
  const { ctx } = await addMember(testContext(database));
  const { pieces } = await exportAccount(ctx);
  await database.db.execute(sql`alter table mails rename to mails_away`);
  try {
    const failure = await failureOf(Array.fromAsync(pieces));
    expect(failure).toMatchObject({ message: "the export could not be completed" });
    expect(ctx.logged).toMatchObject([{ level: "warn", message: "an export ended early" }]);
  } finally {
    await database.db.execute(sql`alter table mails_away rename to mails`);
  }
});

/** Names of columns that tell of a person. */
const personal = /email|recipient|^user_|_user_|(^|_)ip$|user_agent|phone|_by$/;

const isAboutPeople = (table: PgTable): boolean => {
  const { columns, foreignKeys } = getTableConfig(table);
  const refersToUsers = foreignKeys.some((key) => getTableName(key.reference().foreignTable) === "users");
  return table === schema.users || refersToUsers || columns.some(({ name }) => personal.test(name));
};

/** What the export leaves unsaid of these tables: tables about people, and columns, without a word on why. */
const unexplained = (tables: Record<string, unknown>): string[] =>
  Object.entries(tables).flatMap(([name, table]) => {
    if (!is(table, PgTable)) return [];
    const told = new Map(Object.entries(personalData)).get(name);
    if (!told) return isAboutPeople(table) && !(name in notExported) ? [name] : [];
    const columns = new Map<string, true | string>(Object.entries(told.columns));
    return Object.keys(getTableColumns(table)).flatMap((column) =>
      columns.get(column) ? [] : [`${name}.${column}`],
    );
  });

test("every column about a person is exported, or says why it is not", () => {
  expect(unexplained(schema)).toEqual([]);
});

test("a column that is added to a table with personal data has to be explained", () => {
  const users = pgTable("users", { id: uuid("id").primaryKey(), shoeSize: text("shoe_size") });
  expect(unexplained({ users })).toEqual(["users.shoeSize"]);
});

test.each([
  ["refers to a user", { owner: uuid("owner").references(() => schema.users.id) }],
  ["has an email address", { contactEmail: text("contact_email") }],
  ["has an IP address", { lastIp: text("last_ip") }],
  ["says who did something", { invitedBy: text("invited_by") }],
])("so has a table that is added and %s", (_what, columns) => {
  expect(unexplained({ planted: pgTable("planted", columns) })).toEqual(["planted"]);
  expect(unexplained({ planted: pgTable("planted", { color: text("color") }) })).toEqual([]);
});

test("no reason is given for a table that is gone", () => {
  const known = Object.keys(schema);
  expect(Object.keys({ ...notExported, ...personalData }).filter((name) => !known.includes(name))).toEqual(
    [],
  );
});

const world = testContext(database);

const provider = "google" as const;
const passwords = { currentPassword: "any", newPassword: "another-horse-entirely", deviceToken: null };
const operations: [name: string, run: (who: Context) => Promise<unknown>][] = [
  ["readAccount", readAccount],
  ["changePassword", (who) => changePassword(who, passwords)],
  ["deleteAccount", (who) => deleteAccount(who, { password: "any" })],
  ["exportAccount", exportAccount],
  ["linkProvider", (who) => linkProvider(who, { provider, browserSecret: null })],
  ["unlinkProvider", (who) => unlinkProvider(who, { provider })],
  ["listOwnSessions", listOwnSessions],
  ["endOtherSessions", endOtherSessions],
  ["endOwnSession", (who) => endOwnSession(who, { id: "none" })],
];

test.each(operations)("%s refuses a visitor and the operator, who have no account", async (_name, run) => {
  const before = await contentsOf(database.db);
  for (const actor of [{ kind: "visitor" }, { kind: "operator" }] as const)
    expect(await failureOf(run(world.as(actor)))).toMatchObject({ kind: "NOT_SIGNED_IN" });
  expect(await contentsOf(database.db)).toEqual(before);
  expect([world.mails, world.published]).toEqual([[], []]);
});
