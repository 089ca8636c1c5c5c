import { describe, expect, test } from "bun:test";
import { startProcessorTime } from "#api/testing/processor-time.ts";
import { createSchemaCheck } from "#contract/json-schema.ts";
import { createPatternBook, PatternFault, patternLimits, patternSize } from "#contract/pattern-size.ts";
import { readSettingsSchema } from "#contract/plugin-settings-schema.ts";
import { schemaFaultTexts, schemaTexts } from "#contract/plugin-texts.ts";
import { schemaProblems } from "#contract/schema-problems.ts";
import { compilePattern } from "./compile-pattern.ts";

const faultOf = (pattern: string): unknown => {
  try {
    compilePattern(pattern);
    return null;
  } catch (error) {
    return error;
  }
};

describe("patterns of strangers", () => {
  test.each([
    [
      "an email address as HTML defines it",
      "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$",
    ],
    ["a slug", "^[a-z0-9]+(?:-[a-z0-9]+)*$"],
    ["a date", "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$"],
    ["a color", "^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"],
    [
      "a version",
      "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?$",
    ],
    ["a UUID", "^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"],
    ["a digest", "^[0-9a-f]{64}$"],
    ["a token", "^[A-Za-z0-9_-]{20,128}$"],
    ["a person's name", "^[\\p{L}\\p{M}' -]{1,100}$"],
    ["a phone number in brackets", "^\\(?a?\\+[1-9]\\d{1,14}\\)?$"],
  ])("are accepted for common needs: %s", (_title, pattern) => {
    expect(faultOf(pattern)).toBe(null);
  });

  test.each([
    ["many repetitions", "(?:a?){1000}[xy]$"],
    ["repetitions within each other", "((?:a{10}){10}){10}"],
    ["an open repetition", "(?:abc){100,}"],
    ["a group of many choices, repeated", `(?:${"ab|".repeat(40)}c){20}`],
    ["repetitions in a row", "(?:[a-z]{0,90}i)?".repeat(8)],
    ["many tables of Unicode", "\\P{L}|".repeat(28)],
    ["cases that are folded", "(?i:[^\\u{100}])"],
    ["folding behind a backslash that is one", "\\\\(?i:a)"],
    ["201 characters", "a".repeat(201)],
  ])("are refused for their size before they are compiled: %s", (_title, pattern) => {
    expect(faultOf(pattern)).toBeInstanceOf(PatternFault);
  });

  test("are foreseen to be no smaller than what repeating makes of them", () => {
    for (const pattern of [
      "a{100}",
      "(?:ab){50}",
      "(?:a|bc){20,40}",
      "(?<n>[a-z]{5}){10}",
      "[\\]}]{99}\\u{61}{20}",
    ])
      expect(patternSize(pattern)).toBeGreaterThanOrEqual((compilePattern(pattern).size ?? 0) / 2);
  });
});

describe("patterns of a schema, and of a plugin,", () => {
  const schemaOf = (patterns: string[]) => ({
    properties: Object.fromEntries(patterns.map((pattern, at) => [`p${at}`, { pattern }])),
  });

  test("are too much together where each alone is not", () => {
    const [problem] = schemaProblems(schemaOf(Array.from({ length: 20 }, (_, at) => `a{120}${at}`)), {
      compilePattern,
    });
    expect(problem?.message).toBe(schemaFaultTexts.patternsSize);
  });

  test("are compiled once each, and a plugin has no more than its share", () => {
    let compiled = 0;
    const book = createPatternBook((pattern) => {
      compiled += 1;
      return compilePattern(pattern);
    });
    for (let at = 0; at < 500; at += 1) book(`a${at % patternLimits.ofPlugin.patterns}`);
    expect(compiled).toBe(patternLimits.ofPlugin.patterns);
    expect(() => book("one more")).toThrow(schemaFaultTexts.patternsOfPlugin);
    const large = createPatternBook(compilePattern);
    expect(() => {
      for (let at = 0; at < 100; at += 1) large(`[a-z]{200}${at}`);
    }).toThrow(schemaFaultTexts.patternsOfPlugin);
    expect(compiled).toBe(patternLimits.ofPlugin.patterns);
  });
});

describe("comparing with patterns", () => {
  /** How many instructions times characters were stepped through: the engine takes about 30 ns for each at worst. */
  const counted = () => {
    const spent = { steps: 0 };
    const compile = (pattern: string) => {
      const { size = 0 } = compilePattern(pattern);
      const fits = (text: string) => {
        spent.steps += text.length * size;
        return true;
      };
      return Object.assign(fits, { size });
    };
    return { spent, compile };
  };
  const mostSteps = 350_000;

  test("takes bounded time for a body, and what is left over is refused at its place", () => {
    const { spent, compile } = counted();
    const items = { type: "string", pattern: "(?:a?){100}[xy]$" } as const;
    const check = createSchemaCheck({ type: "array", items }, { compilePattern: compile });
    expect(check(Array(10).fill("a".repeat(1_000)))).toEqual([{ path: "1", message: schemaTexts.tooMuch }]);
    expect(spent.steps).toBeLessThan(mostSteps);
  });

  test("refuses a text that is too long, behind a negation, too", () => {
    const long = "a".repeat(patternLimits.textLength + 1);
    for (const schema of [{ pattern: "^b" }, { not: { pattern: "^b" } }, { oneOf: [{ pattern: "^b" }, {}] }])
      expect(createSchemaCheck(schema, { compilePattern })(long)).toEqual([
        { path: "", message: schemaTexts.patternTooLong },
      ]);
  });

  test("takes no longer for all defaults of a package than for one body", () => {
    const { spent, compile } = counted();
    const field = { type: "string", pattern: "(?:a?){45}[xy]$", default: "a".repeat(1_000) };
    const properties = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, field]));
    const read = readSettingsSchema({ type: "object", properties }, { compilePattern: compile });
    expect(read).toEqual({
      problems: [
        { path: expect.stringMatching(/^properties\.f\d+\.default$/), message: schemaTexts.tooMuch },
      ],
    });
    expect(spent.steps).toBeLessThan(mostSteps);
  });
});

describe("patterns of strangers", () => {
  test("mean what browsers understand", () => {
    expect(compilePattern("^\\p{L}+$")("Ärger")).toBe(true);
    expect(compilePattern("b")("abc")).toBe(true);
    expect(compilePattern("^.$")("😀")).toBe(true);
    expect(compilePattern("^\\u00e9\\d{2}$")("é42")).toBe(true);
  });

  test("are refused where they need look-around or look back, or are none", () => {
    for (const pattern of ["(?=a)", "(?<!a)b", "(a)\\1", "(", "[z-a]", "(a{1000}){1000}"])
      expect(() => compilePattern(pattern)).toThrow();
  });

  test("take no more time than the text is long, whatever they are", () => {
    for (const pattern of ["^(a+)+$", "^(a|a)*$", "(.*a){20}$", "(a|aa)+$"]) {
      const fits = compilePattern(pattern);
      const processorMs = startProcessorTime();
      fits(`${"a".repeat(5_000)}!`);
      expect(processorMs()).toBeLessThan(500);
    }
  });
});
