import { describe, expect, test } from "bun:test";
import type { GuardRule, Json } from "#plugins/sdk/types.ts";
import { createAddressTest, spanOf } from "./address-ranges.ts";
import { checkRules } from "./check-rules.ts";
import { createTextMatcher } from "./text-matcher.ts";

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
        contains: Array.from({ length: 999 }, () => "x".repeat(100)),
      })),
    ],
  ];
  test.each(wrong)("are refused with %s", (_title, value) => {
    expect(checkRules(value)).toEqual({ problem: expect.any(String) });
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
    const started = performance.now();
    for (let round = 0; round < 50; round += 1) matcher("a".repeat(8_000), found);
    // One after the other they would need 500 times the letters: some ten seconds.
    expect(performance.now() - started).toBeLessThan(3_000);
    expect([...found]).toEqual([0, 0, 0, 0]);
  });
});
