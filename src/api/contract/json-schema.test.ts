import { describe, expect, test } from "bun:test";
import { startProcessorTime } from "#api/testing/processor-time.ts";
import { fieldTexts } from "./errors.ts";
import { compileBrowserPattern, createSchemaCheck } from "./json-schema.ts";
import { schemaFaultTexts as faults, schemaTexts as texts } from "./plugin-texts.ts";
import { readSchema, schemaProblems } from "./schema-problems.ts";

const options = { compilePattern: compileBrowserPattern };

/** What the check of a schema says of a value. */
const check = (schema: unknown, value: unknown) => {
  const read = readSchema(schema, options);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return createSchemaCheck(read.schema, options)(value);
};

const fits = (schema: unknown, value: unknown): boolean => check(schema, value).length === 0;

describe("a value fits, and its neighbour does not:", () => {
  test.each<[string, unknown, unknown, unknown]>([
    ["text", { type: "string" }, "", 1],
    ["a number", { type: "number" }, 1.5, "1"],
    ["a number that is finite", { type: "number" }, 0, Number.NaN],
    ["a whole number", { type: "integer" }, 2, 2.5],
    ["a whole number however it is written", { type: "integer" }, 1.0, 1.01],
    ["a flag", { type: "boolean" }, false, 0],
    ["null", { type: "null" }, null, undefined],
    ["an object", { type: "object" }, {}, []],
    ["an object that is not null", { type: "object" }, {}, null],
    ["a list", { type: "array" }, [], {}],
    ["one of two types", { type: ["string", "null"] }, null, 0],
    ["a choice", { enum: ["a", 1, null] }, 1, "1"],
    ["a choice that is an object", { enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }, { a: 1 }],
    ["a constant", { const: 0 }, 0, false],
    ["a constant that is null", { const: null }, null, {}],
    ["minimum", { minimum: 3 }, 3, 2.9],
    ["maximum", { maximum: 3 }, 3, 3.1],
    ["exclusiveMinimum", { exclusiveMinimum: 3 }, 3.1, 3],
    ["exclusiveMaximum", { exclusiveMaximum: 3 }, 2.9, 3],
    ["multipleOf in decimals", { multipleOf: 0.1 }, 0.3, 0.35],
    ["multipleOf of a whole number", { multipleOf: 7 }, 49, 50],
    ["multipleOf far beyond", { multipleOf: 0.01 }, 4.35, 1e308],
    ["minLength in characters", { minLength: 2 }, "😀😀", "😀"],
    ["maxLength in characters", { maxLength: 2 }, "😀😀", "😀😀x"],
    ["pattern anywhere in the text", { pattern: "b+" }, "abc", "ac"],
    ["pattern in characters", { pattern: "^.$" }, "😀", "ab"],
    ["minItems", { minItems: 1 }, [0], []],
    ["maxItems", { maxItems: 1 }, [0], [0, 0]],
    ["items", { items: { type: "string" } }, ["a"], ["a", 1]],
    [
      "uniqueItems",
      { uniqueItems: true },
      [1, "1", true],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    ["minProperties", { minProperties: 1 }, { a: 1 }, {}],
    ["maxProperties", { maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }],
    ["required", { required: ["a"] }, { a: null }, { b: 1 }],
    ["properties", { properties: { a: { type: "string" } } }, { b: 1 }, { a: 1 }],
    ["no other properties", { properties: { a: {} }, additionalProperties: false }, { a: 1 }, { b: 1 }],
    ["other properties of a kind", { additionalProperties: { type: "number" } }, { a: 1 }, { a: "1" }],
    ["allOf", { allOf: [{ minimum: 1 }, { maximum: 2 }] }, 2, 3],
    ["anyOf", { anyOf: [{ type: "string" }, { minimum: 5 }] }, 5, 4],
    ["oneOf", { oneOf: [{ minimum: 5 }, { maximum: 5 }] }, 4, 5],
    ["not", { not: { type: "string" } }, 1, "1"],
  ])("%s", (_what, schema, good, bad) => {
    expect(check(schema, good)).toEqual([]);
    expect(fits(schema, bad)).toBe(false);
  });
});

describe("a format fits, and its neighbours do not:", () => {
  test.each<[string, string[], string[]]>([
    ["email", ["ada@example.com"], ["ada@example", " ada@example.com", "ada@", ""]],
    [
      "uri",
      ["https://example.com/a?b#c", "mailto:a@b.c", "urn:x:y"],
      ["example.com", "https://a b", "https://%zz", "http://[", "https://ä.de", ""],
    ],
    [
      "date",
      ["2024-02-29", "2000-02-29", "0001-01-31"],
      ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-01", "2024-04-31", "2024-4-1", "2024-01-00"],
    ],
    [
      "date-time",
      ["2024-02-29T23:59:59Z", "2024-01-01T00:00:00.123+05:30"],
      [
        "2024-02-30T00:00:00Z",
        "2024-01-01T24:00:00Z",
        "2024-01-01 00:00:00Z",
        "2024-01-01T00:00:00",
        "2024-01-01T00:60:00Z",
      ],
    ],
    [
      "uuid",
      ["0190a6f0-0000-7000-8000-0123456789ab"],
      ["0190a6f0-0000-7000-8000-0123456789a", "{0190a6f0-0000-7000-8000-0123456789ab}"],
    ],
    ["ipv4", ["0.0.0.0", "255.255.255.255"], ["256.0.0.1", "1.2.3", "1.2.3.4.", "01.2.3.4", "1.2.3.4.5"]],
    [
      "ipv6",
      ["::", "::1", "2001:db8::1", "::ffff:1.2.3.4"],
      ["1.2.3.4", ":::", "1::2::3", "fe80::1%eth0", "12345::", "::1]"],
    ],
    [
      "hostname",
      ["a", "api.example.com", "xn--bcher-kva.example"],
      ["", "-a", "a-", "a..b", "a_b", `${"a".repeat(64)}.b`, `${"a.".repeat(127)}ab`],
    ],
  ])("%s", (format, good, bad) => {
    expect(good.filter((text) => !fits({ format }, text))).toEqual([]);
    expect(bad.filter((text) => fits({ format }, text))).toEqual([]);
  });
});

describe("errors", () => {
  test("name the place, and say what is missing, unknown or wrong", () => {
    const schema = {
      type: "object",
      properties: {
        list: { items: { properties: { port: { type: "integer", maximum: 65_535 } } } },
        name: {},
      },
      required: ["name"],
      additionalProperties: false,
    };
    expect(check(schema, { list: [{}, { port: 70_000 }, { port: "x" }], nmae: 1 })).toEqual([
      { path: "name", message: fieldTexts.required },
      { path: "list.1.port", message: texts.most(65_535) },
      { path: "list.2.port", message: texts.type("a whole number") },
      { path: "nmae", message: texts.unknown("name") },
    ]);
  });

  test("of a choice between forms are those of the one form that has the value's type", () => {
    const schema = { anyOf: [{ type: "string" }, { type: "object", required: ["name"] }] };
    expect(check(schema, {})).toEqual([{ path: "name", message: fieldTexts.required }]);
    expect(check(schema, 1)).toEqual([{ path: "", message: texts.noBranch }]);
  });

  test("are fifty at most", () => {
    const list = Array.from({ length: 1_000 }, () => "x");
    expect(check({ items: { type: "number" } }, list)).toHaveLength(50);
    const many = Object.fromEntries(list.map((_, index) => [`key${index}`, 1]));
    expect(check({ additionalProperties: false }, many)).toHaveLength(50);
  });

  test("show no key that cannot be shown, and no long one as a whole", () => {
    const schema = { additionalProperties: false };
    const [one] = check(schema, { "\u202e\u0000": 1 });
    expect(one?.path).toBe("?");
    const [long] = check(schema, { ["k".repeat(10_000)]: 1 });
    expect(long?.path).toHaveLength(60);
  });
});

describe("Z8: an object's own keys alone count:", () => {
  const schema = { properties: { a: {} }, additionalProperties: false };

  test("what every object inherits is neither there nor known", () => {
    for (const name of ["constructor", "toString", "hasOwnProperty"]) {
      expect(fits({ required: [name] }, {})).toBe(false);
      expect(fits(schema, JSON.parse(`{"${name}": 1}`))).toBe(false);
      expect(fits({ properties: { [name]: { type: "string" } } }, {})).toBe(true);
    }
  });

  test("__proto__ is a key like any other, which no schema may name", () => {
    expect(check(schema, JSON.parse('{"__proto__": {"a": 1}}'))).toEqual([
      { path: "__proto__", message: fieldTexts.unknown },
    ]);
    expect(schemaProblems(JSON.parse('{"properties": {"__proto__": {}}}'), options)).toEqual([
      { path: "properties.__proto__", message: faults.propertyName },
    ]);
    expect(schemaProblems(JSON.parse('{"required": ["__proto__"]}'), options)).toHaveLength(1);
    expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
  });
});

describe("time is bounded:", () => {
  test("a value that would take too long is refused as that", () => {
    const branches = Array.from({ length: 20 }, (_, index) => ({ const: index }));
    const schema = { items: { anyOf: branches } };
    const processorMs = startProcessorTime();
    const errors = check(
      schema,
      Array.from({ length: 200_000 }, () => 19),
    );
    expect(errors).toEqual([{ path: "", message: texts.tooMuch }]);
    expect(processorMs()).toBeLessThan(1_000);
  });

  test("what is given up within a negation is no success", () => {
    const schema = { not: { items: { type: "string" } } };
    const list = Array.from({ length: 600_000 }, () => "x");
    expect(check(schema, list)).toEqual([{ path: "", message: texts.tooMuch }]);
  });

  test("a list nested as deep as a body can be is compared without running out of stack", () => {
    const deep = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
    expect(fits({ enum: [[]] }, deep)).toBe(false);
    expect(fits({ uniqueItems: true }, [deep, 1])).toBe(true);
  });

  test("a text too long for patterns is refused before it is compared", () => {
    expect(check({ pattern: "^x*$" }, "x".repeat(5_001))).toEqual([
      { path: "", message: texts.patternTooLong },
    ]);
  });
});
