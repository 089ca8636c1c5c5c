import { describe, expect, test } from "bun:test";
import { compileBrowserPattern } from "./json-schema.ts";
import { schemaFaultTexts as faults } from "./plugin-texts.ts";
import { schemaProblems } from "./schema-problems.ts";

const options = { compilePattern: compileBrowserPattern };

describe("a schema that cannot be used:", () => {
  const nested = (levels: number): unknown => (levels === 1 ? {} : { items: nested(levels - 1) });

  test.each<[string, unknown, string, string]>([
    ["no object", [], "", faults.notASchema],
    ["true", true, "", faults.notASchema],
    ["an unknown keyword", { propertys: {} }, "propertys", faults.keywordNear("properties")],
    ["a keyword like none", { zzzzzzzzz: 1 }, "zzzzzzzzz", faults.keyword],
    ["a keyword that every object has", { constructor: 1 }, "constructor", faults.keyword],
    ["a reference", { properties: { a: { $ref: "#" } } }, "properties.a.$ref", faults.reference],
    [
      "a type that is none",
      { type: "text" },
      "type",
      faults.type("object, array, string, number, integer, boolean, null"),
    ],
    [
      "a type twice",
      { type: ["null", "null"] },
      "type",
      faults.type("object, array, string, number, integer, boolean, null"),
    ],
    [
      "a format that is none",
      { format: "regex" },
      "format",
      faults.format("email, uri, date, date-time, uuid, ipv4, ipv6, hostname"),
    ],
    ["a bound that is text", { minimum: "1" }, "minimum", faults.number],
    ["a length below 0", { minLength: -1 }, "minLength", faults.count],
    ["a half length", { maxItems: 1.5 }, "maxItems", faults.count],
    ["a step of 0", { multipleOf: 0 }, "multipleOf", faults.positive],
    ["no choices", { enum: [] }, "enum", faults.values],
    ["no branches", { anyOf: [] }, "anyOf", faults.schemas],
    ["21 branches", { anyOf: Array.from({ length: 21 }, () => ({})) }, "anyOf", faults.schemas],
    ["a branch that is none", { oneOf: [{}, 1] }, "oneOf.1", faults.notASchema],
    ["required twice", { required: ["a", "a"] }, "required", faults.names],
    ["properties that are a list", { properties: [] }, "properties", faults.properties],
    ["a pattern that is none", { pattern: "(" }, "pattern", faults.pattern],
    ["a pattern of 201 characters", { pattern: "x".repeat(201) }, "pattern", faults.patternLong(200)],
    [
      "21 patterns",
      { allOf: Array.from({ length: 20 }, () => ({ pattern: "b" })), not: { pattern: "c" } },
      "not.pattern",
      faults.manyPatterns(20),
    ],
    ["eleven levels", nested(11), Array(10).fill("items").join("."), faults.tooDeep(10)],
    [
      "501 schemas",
      { properties: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, {}])) },
      "properties.p499",
      faults.tooMany(500),
    ],
    ["501 choices", { enum: Array.from({ length: 500 }, (_, i) => i) }, "enum", faults.tooMany(500)],
    [
      "a default nested too deep",
      { default: JSON.parse(`${"[".repeat(99_999)}${"]".repeat(99_999)}`) },
      "default",
      faults.valueDeep(10),
    ],
    ["a switch that is text", { "x-secret": "yes" }, "x-secret", faults.flag],
    ["a title that is none", { title: 1 }, "title", faults.text],
    ["half an order", { "x-order": 0.5 }, "x-order", faults.whole],
    ["its dialect within it", { items: { $schema: "x" } }, "items.$schema", faults.keyword],
  ])("%s", (_what, schema, path, message) =>
    expect(schemaProblems(schema, options)).toEqual([{ path, message }]),
  );

  test("is told of fifty faults at most, in little time", () => {
    const hostile = {
      properties: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`p${i}`, 1])),
    };
    expect(schemaProblems(hostile, options).length).toBeLessThanOrEqual(50);
  });
});

test("ten levels and 500 schemas are fine", () => {
  const nested = (levels: number): unknown => (levels === 1 ? {} : { items: nested(levels - 1) });
  expect(schemaProblems(nested(10), options)).toEqual([]);
  const properties = Object.fromEntries(Array.from({ length: 499 }, (_, index) => [`p${index}`, {}]));
  expect(
    schemaProblems({ $schema: "https://json-schema.org/draft/2020-12/schema", properties }, options),
  ).toEqual([]);
});
