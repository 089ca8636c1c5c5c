import { describe, expect, test } from "bun:test";
import { fieldTexts } from "./errors.ts";
import { compileBrowserPattern, createSchemaCheck } from "./json-schema.ts";
import { readSettingsSchema } from "./plugin-settings-schema.ts";
import { schemaTexts, manifestTexts as texts } from "./plugin-texts.ts";

const options = { compilePattern: compileBrowserPattern };

const form = (properties: Record<string, unknown>) => ({ type: "object", properties });

const problems = (schema: unknown) => {
  const read = readSettingsSchema(schema, options);
  return "problems" in read ? read.problems : [];
};

const everything = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Settings",
  type: "object",
  properties: {
    apiKey: { type: "string", title: "Key", "x-secret": true, "x-order": 1, minLength: 10 },
    url: { type: "string", format: "uri", "x-placeholder": "https://…", default: "https://a.example" },
    text: { type: "string", "x-multiline": true, maxLength: 1_000, default: "a\n\tb" },
    count: { type: "integer", minimum: 1, maximum: 9, default: 3 },
    isOn: { type: "boolean", default: true },
    level: { enum: ["low", "high", 3], default: "low" },
    colour: { type: "string", enum: ["red", "blue"] },
    names: { type: "array", items: { type: "string" }, uniqueItems: true, default: ["a"] },
    levels: { type: "array", items: { enum: [1, 2] } },
    server: {
      type: "object",
      properties: { host: { type: "string" }, ports: { type: "array", items: { type: "integer" } } },
      required: ["host"],
    },
  },
  required: ["apiKey"],
};

test("text, numbers, switches, choices, lists and one level of objects make a form", () => {
  expect(problems(everything)).toEqual([]);
});

test("settings hold only the fields that are named, objects in them too", () => {
  const read = readSettingsSchema(everything, options);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const check = createSchemaCheck(read.schema, options);
  expect(check({ apiKey: "0123456789", server: { host: "a" } })).toEqual([]);
  expect(check({ apiKey: "0123456789", other: 1, server: { host: "a", user: 1 } })).toEqual([
    { path: "other", message: fieldTexts.unknown },
    { path: "server.user", message: fieldTexts.unknown },
  ]);
});

const scalar = { type: "string" };

describe("refused, for no form can be drawn or no value kept:", () => {
  test.each<[string, unknown, string, string]>([
    ["no object", [], "", "Please give a JSON Schema: an object"],
    ["a schema of text", { type: "string" }, "", texts.settingsObject],
    ["no properties", { type: "object" }, "", texts.settingsObject],
    [
      "other fields",
      { ...form({}), additionalProperties: true },
      "additionalProperties",
      texts.settingsOthers,
    ],
    ["branches", { ...form({}), anyOf: [{}] }, "anyOf", texts.settingsKeyword],
    ["a field of two types", form({ a: { type: ["string", "null"] } }), "properties.a", texts.settingsType],
    ["a field of no type", form({ a: {} }), "properties.a", texts.settingsType],
    ["a field of null", form({ a: { type: "null" } }), "properties.a", texts.settingsType],
    [
      "branches of a field",
      form({ a: { ...scalar, anyOf: [{}] } }),
      "properties.a.anyOf",
      texts.settingsKeyword,
    ],
    [
      "bounds of another type",
      form({ a: { ...scalar, minimum: 1 } }),
      "properties.a.minimum",
      texts.settingsKeyword,
    ],
    ["a choice of objects", form({ a: { enum: [{}] } }), "properties.a.enum.0", texts.settingsType],
    ["a choice of null", form({ a: { enum: [null] } }), "properties.a.enum.0", texts.settingsType],
    ["a list of anything", form({ a: { type: "array" } }), "properties.a.items", texts.settingsType],
    [
      "a list of lists",
      form({ a: { type: "array", items: { type: "array", items: scalar } } }),
      "properties.a.items",
      texts.settingsType,
    ],
    [
      "a list of objects",
      form({ a: { type: "array", items: form({}) } }),
      "properties.a.items",
      texts.settingsType,
    ],
    [
      "objects in objects",
      form({ a: form({ b: form({}) }) }),
      "properties.a.properties.b",
      texts.settingsLevels,
    ],
    [
      "a default with a control character",
      form({ a: { ...scalar, default: "a\u001b[31mb" } }),
      "properties.a.default",
      fieldTexts.unprintable,
    ],
    [
      "a default of several lines where one is",
      form({ a: { ...scalar, default: "a\nb" } }),
      "properties.a.default",
      fieldTexts.unprintable,
    ],
    [
      "a control character in a list that is a default",
      form({ a: { type: "array", items: scalar, default: ["a", "\u0007"] } }),
      "properties.a.default",
      fieldTexts.unprintable,
    ],
    [
      "a control character in a group's default",
      form({ a: { ...form({ b: scalar }), default: { b: "\u001b" } } }),
      "properties.a.default",
      fieldTexts.unprintable,
    ],
    ["a name with a dot", form({ "a.b": scalar }), "properties.a.b", texts.settingsName],
    [
      "a name of 65 letters",
      form({ ["a".repeat(65)]: scalar }),
      `properties.${"a".repeat(59)}…`,
      texts.settingsName,
    ],
    [
      "a name that every object has",
      form({ constructor: scalar }),
      "properties.constructor",
      texts.settingsName,
    ],
    [
      "a required field that is none",
      { ...form({ a: scalar }), required: ["b"] },
      "required.0",
      texts.settingsRequired,
    ],
    [
      "a required field that every object has",
      { ...form({}), required: ["toString"] },
      "required.0",
      texts.settingsRequired,
    ],
    [
      "a secret number",
      form({ a: { type: "number", "x-secret": true } }),
      "properties.a.x-secret",
      texts.settingsKeyword,
    ],
    [
      "a secret in an object",
      form({ a: form({ b: { ...scalar, "x-secret": true } }) }),
      "properties.a.properties.b.x-secret",
      texts.secretPlace,
    ],
    [
      "secrets in a list",
      form({ a: { type: "array", items: { ...scalar, "x-secret": true } } }),
      "properties.a.items.x-secret",
      texts.secretPlace,
    ],
    [
      "a secret choice",
      form({ a: { ...scalar, enum: ["b"], "x-secret": true } }),
      "properties.a.x-secret",
      texts.secretPlace,
    ],
    [
      "a secret with a default",
      form({ a: { ...scalar, default: "b", "x-secret": true } }),
      "properties.a.x-secret",
      texts.secretDefault,
    ],
    [
      "a default of another type",
      form({ a: { type: "integer", default: "3" } }),
      "properties.a.default",
      schemaTexts.type("a whole number"),
    ],
    [
      "a default out of bounds",
      form({ a: form({ b: { type: "integer", maximum: 2, default: 3 } }) }),
      "properties.a.properties.b.default",
      schemaTexts.most(2),
    ],
    [
      "a default that lacks a field",
      form({ a: { ...form({ b: scalar }), required: ["b"], default: {} } }),
      "properties.a.default.b",
      fieldTexts.required,
    ],
    [
      "a title turned around",
      form({ a: { ...scalar, title: "\u202e" } }),
      "properties.a.title",
      fieldTexts.unprintable,
    ],
    [
      "a title of 101 characters",
      form({ a: { ...scalar, title: "x".repeat(101) } }),
      "properties.a.title",
      schemaTexts.manyCharacters(100),
    ],
    [
      "a choice that cannot be seen",
      form({ a: { enum: ["a\u0000"] } }),
      "properties.a.enum.0",
      fieldTexts.unprintable,
    ],
    [
      "101 fields",
      form(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`a${i}`, scalar]))),
      "properties",
      schemaTexts.manyFields(100),
    ],
  ])("%s", (_what, schema, path, message) => expect(problems(schema)).toContainEqual({ path, message }));
});
