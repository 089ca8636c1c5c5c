import { describe, expect, test } from "bun:test";
import { startProcessorTime } from "#api/testing/processor-time.ts";
import { spanOf } from "#contract/endpoints.ts";
import type { GuardRule, Json } from "#plugins/sdk/types.ts";
import { checkRules } from "./check-rules.ts";
import { compileRules, createAddressTest, createTextMatcher } from "./compile-rules.ts";

const pattern = { kind: "pattern", action: "block", in: ["path"], contains: ["x"] };

describe("rules of a plugin", () => {
  test("are taken as they are when each can be applied", () => {
    const rules: GuardRule[] = [
      { kind: "ip", action: "block", cidrs: ["10.0.0.0/8", "2001:db8::1", "::ffff:10.0.0.0/104"] },
      { kind: "country", action: "allow", codes: ["DE", "NO"] },
      { kind: "pattern", action: "log", in: ["path", "user-agent"], prefix: ["/a"] },
      { kind: "rate", key: "user", windowMs: 1_000, max: 1, message: "Slowly" },
    ];
    expect(checkRules(rules as Json)).toEqual({ rules });
  });

  const wrong: [title: string, value: Json][] = [
    ["no list", {}],
    ["101 rules", Array.from({ length: 101 }, () => pattern)],
    ["no object", ["x"]],
    ["a kind that is none", [{ kind: "constructor" }]],
    ["another action", [{ ...pattern, action: "allow" }]],
    ["no address", [{ kind: "ip", action: "block", cidrs: ["10.0.0.256"] }]],
    ["a prefix that is too long", [{ kind: "ip", action: "block", cidrs: ["10.0.0.0/33"] }]],
    ["a mapped prefix of other addresses", [{ kind: "ip", action: "block", cidrs: ["::ffff:10.0.0.0/90"] }]],
    ["an empty list", [{ kind: "ip", action: "block", cidrs: [] }]],
    ["1,001 entries", [{ kind: "ip", action: "block", cidrs: Array.from({ length: 1_001 }, () => "::1") }]],
    ["small letters", [{ kind: "country", action: "block", codes: ["de"] }]],
    ["another place", [{ ...pattern, in: ["path", "body"] }]],
    ["nothing to look for", [{ kind: "pattern", action: "block", in: ["path"] }]],
    ["an empty text, which is everywhere", [{ ...pattern, contains: [""] }]],
    ["a long text", [{ ...pattern, contains: ["x".repeat(201)] }]],
    ["half a request", [{ kind: "rate", key: "ip", windowMs: 1_000, max: 0.5 }]],
    ["a week", [{ kind: "rate", key: "ip", windowMs: 604_800_000, max: 1 }]],
    ["another key", [{ kind: "rate", key: "cookie", windowMs: 1_000, max: 1 }]],
    ["a message of two lines", [{ kind: "rate", key: "ip", windowMs: 1_000, max: 1, message: "a\nb" }]],
    [
      "too much text in all",
      Array.from({ length: 2 }, () => ({
        ...pattern,
        contains: Array.from({ length: 251 }, () => "x".repeat(100)),
      })),
    ],
    [
      "5,001 entries in all",
      Array.from({ length: 6 }, () => ({
        ...{ kind: "ip", action: "block" },
        cidrs: Array.from({ length: 834 }, () => "::1"),
      })),
    ],
  ];
  test.each(wrong)("are refused with %s", (_title, value) => {
    expect(checkRules(value)).toEqual({ problem: expect.any(String) });
  });
});

test.each([
  ["::ffff:10.1.2.3", "10.1.2.3"],
  ["::ffff:a01:203/128", "10.1.2.3/32"],
  ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
  ["::1.2.3.4", "::102:304"],
  ["64:ff9b::10.0.0.1/120", "64:ff9b::a00:0/120"],
  ["::", "0:0:0:0:0:0:0:0"],
])("%s is the same span as %s", (one, other) => {
  const span = spanOf(one);
  expect(span).not.toBe(null);
  expect(span).toEqual(spanOf(other));
});

test.each(["fe80::1%eth0", "1.2.3", "::/129", "::1/x", "01.2.3.4", ""])("%p is no span", (text) => {
  expect(spanOf(text)).toBe(null);
});

describe("the largest rules are read and prepared without holding anything up:", () => {
  const texts = Array.from({ length: 50 }, (_, rule) => ({
    ...{ kind: "pattern", action: "log", in: ["path", "query", "user-agent"] },
    contains: Array.from({ length: 5 }, (_, at) =>
      Array.from({ length: 50 }, (_, part) => (rule * 7919 + at * 613 + part * 31).toString(36))
        .join("-")
        .slice(0, 199),
    ),
  }));
  const addresses = Array.from({ length: 5 }, (_, rule) => ({
    ...{ kind: "ip", action: "allow" },
    cidrs: Array.from({ length: 1_000 }, (_, at) => `fd::${rule}:${at.toString(16)}`),
  }));
  test.each([
    ["texts", texts],
    ["addresses", addresses],
  ])("%s", (_title, rules) => {
    const tookMs = () => {
      const processorMs = startProcessorTime();
      const read = checkRules(rules);
      if ("problem" in read) throw new Error(read.problem);
      compileRules(read.rules, null);
      return processorMs();
    };
    // Some 10 to 20 ms on a slow core; a table of objects for each place took 120. Other threads of the process are
    // counted in: the best of ten tries had the least of them.
    expect(Math.min(...Array.from({ length: 10 }, tookMs))).toBeLessThan(60);
  });
});

test("addresses are found among many spans, their ends included, and nowhere beside them", () => {
  const cidrs = Array.from({ length: 1_000 }, (_, at) => `10.${at >> 8}.${at & 255}.16/28`);
  const spans = [...cidrs, "0.0.0.0/32", "255.255.255.255", "2001:db8::/127", "2001:db8::2"].map(spanOf);
  const isListed = createAddressTest(spans.filter((span) => span !== null));
  for (const address of [
    "10.0.0.16",
    "10.3.231.31",
    "0.0.0.0",
    "255.255.255.255",
    "2001:db8::",
    "2001:db8::2",
  ])
    expect([address, isListed(address)]).toEqual([address, true]);
  for (const address of ["10.0.0.15", "10.0.0.32", "10.3.232.16", "0.0.0.1", "2001:db8::3", "local", ""])
    expect([address, isListed(address)]).toEqual([address, false]);
});

describe("texts", () => {
  const owners = (texts: [text: string, isPrefix?: boolean][], text: string) => {
    const found = new Uint32Array(4);
    createTextMatcher(texts.map(([sought, isPrefix = false], owner) => ({ text: sought, isPrefix, owner })))(
      text,
      found,
    );
    return texts.flatMap((_sought, owner) =>
      (((found[owner >> 5] ?? 0) >>> (owner & 31)) & 1) === 1 ? [owner] : [],
    );
  };

  test("are found within, behind and across each other", () => {
    expect(owners([["he"], ["she"], ["his"], ["hers"]], "ushers")).toEqual([0, 1, 3]);
    expect(owners([["abcd"], ["bc"], ["cdx"]], "abcdx")).toEqual([0, 1, 2]);
    expect(owners([["ab", true], ["b", true], ["b"]], "abb")).toEqual([0, 2]);
    expect(owners([["aa"]], "")).toEqual([]);
  });

  test("of many owners are told apart", () => {
    const many = Array.from({ length: 100 }, (_, at): [string] => [`<${at}>`]);
    expect(owners(many, "x<31><32><63><64><99>")).toEqual([31, 32, 63, 64, 99]);
  });

  test("as many as a plugin may have take time by the length of what is looked through alone", () => {
    const sought = Array.from({ length: 500 }, (_, at) => ({
      text: `${"a".repeat(150)}${at}`,
      isPrefix: false,
      owner: at % 100,
    }));
    const matcher = createTextMatcher(sought);
    const found = new Uint32Array(4);
    const processorMs = startProcessorTime();
    for (let round = 0; round < 50; round += 1) matcher("a".repeat(8_000), found);
    // One after the other they would need 500 times the letters: some ten seconds.
    expect(processorMs()).toBeLessThan(3_000);
    expect([...found]).toEqual([0, 0, 0, 0]);
  });
});
