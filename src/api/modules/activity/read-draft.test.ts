import { describe, expect, test } from "bun:test";
import { testSecrets } from "#api/testing/context.ts";
import { hostileTexts } from "#api/testing/hostile-text.ts";
import { type ActivityDraft, draftOf, readDraft, sealFact } from "./draft.ts";

const now = new Date("2026-01-31T12:00:00Z");
const draft: ActivityDraft = draftOf({
  entry: { type: "admin_action", action: "Did it", before: { a: "\\u0000" }, after: null, durationMs: 3 },
  source: { actor: { kind: "operator" }, requestId: "r", ip: "local", userAgent: null },
  at: now,
});

const read = (fact: Uint8Array) => readDraft(fact, { box: testSecrets, now });

test("a draft is read as it was left", () => {
  expect(read(sealFact(testSecrets, JSON.stringify(draft)))).toEqual(draft);
});

test("a draft without our seal is not trusted, however correct it looks", () => {
  const { action, severity, description } = read(new TextEncoder().encode(JSON.stringify(draft)));
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
    ...Object.keys(draft).map((name): [string, string] => [
      `a draft without ${name}`,
      JSON.stringify({ ...draft, [name]: undefined }),
    ]),
    ["an unknown type", JSON.stringify({ ...draft, type: "dance" })],
    ["a number of no use", JSON.stringify({ ...draft, occurrences: 1e12 })],
    ["an id that is none", JSON.stringify({ ...draft, userId: "me" })],
    ["NUL in a text", JSON.stringify({ ...draft, action: "a\0b" })],
    ["half a character", JSON.stringify({ ...draft, ip: "\ud800" })],
    ["changes that are no JSON", JSON.stringify({ ...draft, changes: "{" })],
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
