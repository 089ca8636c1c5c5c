import { describe, expect, test } from "bun:test";
import type { ActivityEntry, ActivitySource } from "#api/core/activity.ts";
import { newApiToken } from "#api/core/actor.ts";
import { newToken } from "#api/core/ids.ts";
import { testSecrets } from "#api/testing/context.ts";
import { hostileTexts } from "#api/testing/hostile-text.ts";
import { sessionActor } from "#api/testing/session-actor.ts";
import { inOrder, recordedAtMs } from "./chain-store.ts";
import {
  type ActivityDraft,
  draftOf,
  readDraft,
  sealFact,
  textWithoutSecrets,
  withoutSecrets,
} from "./draft.ts";

const source: ActivitySource = {
  actor: { kind: "visitor" },
  requestId: "r",
  ip: "192.0.2.1",
  userAgent: "Mozilla",
};
const drafted = (entry: Partial<ActivityEntry>, more: Partial<ActivitySource> = {}) =>
  draftOf({
    entry: { type: "admin_action", action: "Did it", ...entry },
    source: { ...source, ...more },
    at: new Date(0),
  });

test("what an entry leaves out has its default", () => {
  expect(drafted({})).toEqual({
    at: "1970-01-01T00:00:00.000Z",
    pluginName: "core",
    type: "admin_action",
    status: "success",
    severity: "low",
    actorKind: "visitor",
    action: "Did it",
    description: "",
    userId: null,
    userEmail: null,
    durationMs: null,
    occurrences: 1,
    requestId: "r",
    ip: "192.0.2.1",
    userAgent: "Mozilla",
    changes: null,
  });
});

test("L5: line breaks, escapes, turned-around and hidden text end up as one harmless line", () => {
  const evil = "a\r\nb\u001b[31mred\u0000\u202egnp.exe\u2028c\u200b\ud800";
  const { action, description, userAgent, userEmail } = drafted(
    { action: evil, description: evil, userEmail: evil },
    { userAgent: evil },
  );
  for (const text of [action, description, userAgent, userEmail])
    expect(text).toBe("a b [31mred gnp.exe c �");
});

test("L5: a megabyte is cut to the bounds of its column", () => {
  const { action, description, userAgent } = drafted(
    { action: "a".repeat(1e6), description: "😀".repeat(1e6) },
    { userAgent: "u".repeat(1e6) },
  );
  expect(action).toHaveLength(200);
  expect([...description]).toHaveLength(1_000);
  expect(description.endsWith("…")).toBe(true);
  expect(userAgent).toHaveLength(200);
});

test("L1: hostile text can be stored whatever it is", () => {
  for (const text of hostileTexts) {
    const { description, changes } = drafted({
      description: text,
      before: { text },
      after: { [text]: text },
    });
    expect(description.isWellFormed() && !description.includes("\u0000")).toBe(true);
    expect(changes?.includes("\\u0000")).toBe(false);
    expect(JSON.parse(changes ?? "")).toBeObject();
  }
});

test("a text that only looks like an escaped NUL stays what it is", () => {
  const texts = ["\\u0000", "\\\\u0000", "a\\\u0000b", "\u0000\u0000\\u0000", "\\".repeat(900)];
  const { after } = JSON.parse(drafted({ after: texts }).changes ?? "");
  expect(after).toEqual(texts.map((text) => text.replaceAll("\u0000", " ")));
});

test("changes that are too large say so instead of filling the disk", () => {
  const wide = Object.fromEntries(
    Array.from({ length: 90 }, (_, index) => [`field${index}`, "x".repeat(900)]),
  );
  expect(JSON.parse(drafted({ before: wide, after: wide }).changes ?? "")).toEqual({
    before: "too large to be stored",
    after: "too large to be stored",
  });
});

test("a signed-in person is named by id and address, whatever the entry says", () => {
  const user = {
    id: "0197fd21-3f6e-7c3a-9d3e-2f1b6f8e4a10",
    name: "Ada",
    email: "ada@example.com",
    role: "admin",
    googleId: null,
    githubId: null,
    emailVerified: true,
    createdAt: "2026-01-31T12:00:00Z",
  } as const;
  const { actorKind, userId, userEmail } = drafted(
    { userEmail: "other@example.com" },
    { actor: sessionActor(user) },
  );
  expect({ actorKind, userId, userEmail }).toEqual({
    actorKind: "user",
    userId: user.id,
    userEmail: user.email,
  });
});

test("an address that only looks like a secret stays readable, and a token in its place does not", () => {
  for (const userEmail of ["token=x@example.test", "x-key=me@example.test", "atr_abcdefghijkl@example.test"])
    expect(drafted({ userEmail }).userEmail).toBe(userEmail);
  expect(drafted({ userEmail: `${newApiToken()}@example.test` }).userEmail).toBe("[removed]@example.test");
});

test("the token that did it is named as it is called, and no name poses as another", () => {
  const acting = { id: "t", scopes: [], callsPerMinute: null };
  const by = (name: string) =>
    drafted({ description: "Made it" }, { actor: { kind: "token", token: { ...acting, name }, owner: null } })
      .description;
  expect(by("key=hidden me")).toBe('Made it (by the token "key=hidden me")');
  expect(by('a") (by the token "ci')).toBe('Made it (by the token "a\\") (by the token \\"ci")');
});

const now = new Date("2026-01-31T12:00:00Z");
const storedDraft: ActivityDraft = draftOf({
  entry: { type: "admin_action", action: "Did it", before: { a: "\\u0000" }, after: null, durationMs: 3 },
  source: { actor: { kind: "operator" }, requestId: "r", ip: "local", userAgent: null },
  at: now,
});

const read = (fact: Uint8Array) => readDraft(fact, { box: testSecrets, now });

test("a draft is read as it was left", () => {
  expect(read(sealFact(testSecrets, JSON.stringify(storedDraft)))).toEqual(storedDraft);
});

test("a draft without our seal is not trusted, however correct it looks", () => {
  const { action, severity, description } = read(new TextEncoder().encode(JSON.stringify(storedDraft)));
  expect({ action, severity }).toEqual({
    action: "Found a record that cannot be read",
    severity: "critical",
  });
  expect(description).toContain("Did it");
});

describe("what Atrium did not put there becomes an activity that shows it:", () => {
  const odd: [string, string][] = [
    ["nothing", ""],
    ["no JSON", "{"],
    ["another value", "null"],
    ["an empty object", "{}"],
    ...Object.keys(storedDraft).map((name): [string, string] => [
      `a draft without ${name}`,
      JSON.stringify({ ...storedDraft, [name]: undefined }),
    ]),
    ["an unknown type", JSON.stringify({ ...storedDraft, type: "dance" })],
    ["a number of no use", JSON.stringify({ ...storedDraft, occurrences: 1e12 })],
    ["an id that is none", JSON.stringify({ ...storedDraft, userId: "me" })],
    ["NUL in a text", JSON.stringify({ ...storedDraft, action: "a\0b" })],
    ["half a character", JSON.stringify({ ...storedDraft, ip: "\ud800" })],
    ["changes that are no JSON", JSON.stringify({ ...storedDraft, changes: "{" })],
  ];
  test.each(odd)("%s", (_what, fact) => {
    const { action, severity, status, actorKind, description } = read(sealFact(testSecrets, fact));
    expect({ action, severity, status, actorKind }).toEqual({
      action: "Found a record that cannot be read",
      severity: "critical",
      status: "failure",
      actorKind: "system",
    });
    expect(description).toStartWith(fact.slice(0, 20).replace("\0", " ").trim());
  });
});

test("L5: whatever text stands there, it can be stored", () => {
  for (const text of hostileTexts) {
    const { description } = read(new TextEncoder().encode(text));
    expect(description.isWellFormed() && !description.includes("\0")).toBe(true);
  }
});

const draftAt = (second: number) =>
  draftOf({
    entry: { type: "admin_action", action: String(second) },
    source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
    at: new Date(second * 1_000),
  });
const order = (inbox: number[], notes: number[]) =>
  inOrder(inbox.map(draftAt), notes.map(draftAt)).map(({ action }) => Number(action));

test("facts of the inbox keep the order in which they came, also when their clocks disagree", () => {
  expect(order([3, 1, 2], [])).toEqual([3, 1, 2]);
});

test("notes stand between them by their times", () => {
  expect(order([2, 4], [1, 3, 5])).toEqual([1, 2, 3, 4, 5]);
  expect(order([], [1, 2])).toEqual([1, 2]);
});

test("a time in the log never decreases and is never in the future", () => {
  expect(recordedAtMs(1_000, 900, 5_000)).toBe(1_000);
  expect(recordedAtMs(1_000, 2_000, 5_000)).toBe(2_000);
  expect(recordedAtMs(1_000, 9_000, 5_000)).toBe(5_000);
  expect(recordedAtMs(5_100, 4_000, 5_000)).toBe(5_100);
});

test("after a clock that was wrong by hours, times are right again", () => {
  const hours = 3 * 3_600_000;
  expect(recordedAtMs(hours, 4_000, 5_000)).toBe(4_000);
});

describe("S1: a field whose name speaks of a secret says that it was removed:", () => {
  test.each([
    "password",
    "currentPassword",
    "passwordHash",
    "token_hash",
    "accessToken",
    "secretAccessKey",
    "apiKey",
    "API-Key",
    "cookie",
    "Authorization",
    "private_key",
    "credentials",
    "passphrase",
  ])("%s", (name) => expect(withoutSecrets({ [name]: "canary" })).toEqual({ [name]: "[removed]" }));
});

test("S1: secrets within lists, objects and whole objects of secrets are removed", () => {
  const value = {
    redis: { endpoint: "redis://me:canary@db:6379", password: "canary" },
    all: [{ token: { a: "canary" } }],
  };
  expect(JSON.stringify(withoutSecrets(value))).not.toContain("canary");
});

test("whether there is a secret may be told, and what merely sounds like one stays", () => {
  const value = {
    hasPassword: true,
    token: null,
    secret: "",
    passed: 3,
    role: "admin",
    sha256: "a".repeat(64),
  };
  expect(withoutSecrets(value)).toEqual(value);
});

test("S1: our own tokens and passwords in addresses are removed from texts", () => {
  for (let round = 0; round < 20_000; round += 1)
    expect(textWithoutSecrets(`GET /reset-password/${newToken(32)}?x=1`)).toBe(
      "GET /reset-password/[removed]?x=1",
    );
  const withApiPrefix = "clHtRJLHCvNOy4sivukMn3sQkxatr_7hGq2ZbLw3QpT";
  expect(textWithoutSecrets(`/reset-password/${withApiPrefix}`)).toBe("/reset-password/[removed]");
  const withoutDigits = "ECnYdyaGmYTSTNZbINzcoMpMrnEMsehNJbmGqf-CCJw";
  expect(textWithoutSecrets(`/verify-email/${withoutDigits}`)).toBe("/verify-email/[removed]");
  expect(textWithoutSecrets("rediss://default:p%40ss@cache.example:6380/1")).toBe(
    "rediss://default:[removed]@cache.example:6380/1",
  );
  expect(textWithoutSecrets("https://user:p@ss@host/x")).toBe("https://user:[removed]@host/x");
  expect(textWithoutSecrets(`Bearer ${"a".repeat(38)}, sid=${"0f".repeat(32)}; password: hunter2`)).toBe(
    "Bearer [removed], sid=[removed]; password: [removed]",
  );
  const harmless = `sha256 ${"0123456789abcdef".repeat(4)} 0197fd21-3f6e-7c3a-9d3e-2f1b6f8e4a10 https://example.com/a:b@c The password was changed: a token of each`;
  expect(textWithoutSecrets(harmless)).toBe(harmless);
});

test("deep, long and wide values are cut, dates and large numbers become text", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(50)}1${"}".repeat(50)}`);
  expect(JSON.stringify(withoutSecrets(deep)).length).toBeLessThan(100);
  expect(JSON.stringify(withoutSecrets("x".repeat(1e6))).length).toBeLessThan(1_100);
  expect(withoutSecrets(Array.from({ length: 1_000 }, (_, index) => index))).toHaveLength(100);
  expect(withoutSecrets({ at: new Date(0), big: 10n })).toEqual({
    at: "1970-01-01T00:00:00.000Z",
    big: "10",
  });
});
