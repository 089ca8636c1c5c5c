import { expect, test } from "bun:test";
import type { ActivityEntry, ActivitySource } from "#api/core/activity.ts";
import { newApiToken } from "#api/core/actor.ts";
import { hostileTexts } from "#api/testing/hostile-text.ts";
import { sessionActor } from "#api/testing/session-actor.ts";
import { draftOf } from "./draft.ts";

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
