import { expect, test } from "bun:test";
import { noRules, type Rules } from "../rules/rules.ts";
import { exportAddresses, importAddresses, readCsv, writeCsv } from "./import-addresses.ts";

const making = { author: "Ada", nowMs: Date.parse("2030-01-01T00:00:00Z") };
const take = (format: "csv" | "json", text: string, rules: Rules = noRules) =>
  importAddresses(rules, { input: { format, text }, making });

test("each line of an import is told of, and good ones are added although others are not", () => {
  const text = [
    "address,kind,note,expiresAt",
    '198.51.100.0/24,deny,"bots, and ""worse""",',
    "2001:DB8::1,allow,,2031-01-01T00:00:00Z",
    "198.51.100.9/24,deny,,",
    "nonsense,deny,,",
    "192.0.2.1,perhaps,,",
    "192.0.2.2,deny,,2029-01-01",
  ].join("\r\n");
  const { rules, report } = take("csv", text);
  expect(rules.addresses).toMatchObject([
    { range: "198.51.100.0/24", kind: "deny", note: 'bots, and "worse"', author: "Ada", expiresAt: null },
    { range: "2001:db8::1", kind: "allow", expiresAt: "2031-01-01T00:00:00.000Z" },
  ]);
  expect(report).toMatchObject({ added: 2, known: 1, refused: 3 });
  expect(report.lines.map(({ line, outcome }) => [line, outcome])).toEqual([
    [5, "refused"],
    [6, "refused"],
    [7, "refused"],
    [4, "known"],
    [2, "added"],
    [3, "added"],
  ]);
});

test("a plain list of addresses is denied", () => {
  expect(take("csv", "# spammers\n198.51.100.1\n\n198.51.100.2\n").rules.addresses).toMatchObject([
    { range: "198.51.100.1", kind: "deny" },
    { range: "198.51.100.2", kind: "deny" },
  ]);
  expect(take("json", '["198.51.100.1"]').report.added).toBe(1);
});

test("what was exported can be imported again, whole, in both formats", () => {
  const { rules } = take("csv", '198.51.100.1,deny,"=HYPERLINK(1), \'a",2031-01-01\n2001:db8::/32,allow,+1,');
  for (const format of ["csv", "json"] as const) {
    const text = exportAddresses(
      rules.addresses.map((entry) => ({ ...entry, hits: 3 })),
      format,
    );
    const again = take(format, text).rules.addresses;
    const facts = (list: typeof again) =>
      list.map(({ range, kind, note, expiresAt }) => [range, kind, note, expiresAt]);
    expect(facts(again)).toEqual(facts(rules.addresses));
  }
});

test("cells that a spreadsheet would run are neutralised", () => {
  for (const cell of ["=1+1", "+1", "-1", "@x", "\tx", "\rx"]) {
    const text = writeCsv([[cell]]);
    expect(text.replace(/^"/, "").startsWith("'")).toBe(true);
    expect(readCsv(text)[0]?.cells).toEqual([cell]);
  }
});

test.each([
  ["csv", ""],
  ["csv", "# nothing"],
  ["json", "{}"],
  ["json", "[1"],
  ["csv", Array.from({ length: 5_001 }, (_, index) => `10.0.${index >> 8}.${index & 255}`).join("\n")],
] as const)("a %s text that is no list, or too long, is refused as a whole", (format, text) => {
  expect(() => take(format, text)).toThrow("Please check");
});

test("no more entries are added than a list may have", () => {
  const addresses = Array.from({ length: 4_999 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
  const { rules } = take("csv", addresses.join("\n"));
  const { report } = take("csv", "192.0.2.1\n192.0.2.2", rules);
  expect(report).toMatchObject({ added: 1, refused: 1 });
});
