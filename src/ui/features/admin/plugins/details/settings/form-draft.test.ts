import { describe, expect, test } from "bun:test";
import type { JsonSchema } from "#contract/json-schema.ts";
import {
  complaintsOf,
  defaultWhenEmpty,
  draftOf,
  fieldsOf,
  patchOf,
  placeErrors,
  wholeOf,
} from "./form-draft.ts";

const schema: JsonSchema = {
  type: "object",
  required: ["site", "key"],
  properties: {
    note: { type: "string", "x-multiline": true },
    site: { type: "string", minLength: 3, pattern: "^[a-z]+$", "x-order": 1 },
    link: { type: "string", format: "uri" },
    most: { type: "integer", minimum: 1, default: 10 },
    isOn: { type: "boolean", default: true },
    mode: { type: "string", enum: ["fast", "safe"], default: "safe" },
    hosts: { type: "array", items: { type: "string", minLength: 3 } },
    ports: { type: "array", items: { type: "integer" } },
    key: { type: "string", "x-secret": true, minLength: 8 },
    mail: {
      type: "object",
      properties: { to: { type: "string", format: "email" }, copies: { type: "integer" } },
      required: ["to"],
    },
  },
};
const fields = fieldsOf(schema);
const saved = { site: "news", most: 20, isOn: true, mode: "safe", hosts: ["one", "two"], key: "" };
const draft = draftOf(fields, saved);
const secrets = { key: true };
const check = (change: Record<string, string | boolean | null>, set = secrets) =>
  complaintsOf({ schema, fields, draft: { ...draft, ...change }, secrets: set });

describe("the form of a plugin's settings", () => {
  test("draws what the schema describes, in the order that it wants", () => {
    expect(fields.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      ...["site text", "note multiline", "link text", "most number", "isOn switch", "mode choice"],
      ...["hosts list", "ports list", "key secret", "mail group"],
    ]);
  });

  test("shows what is stored, and sends nothing while nothing was changed", () => {
    expect(draft).toMatchObject({
      site: "news",
      most: "20",
      isOn: true,
      mode: "1",
      hosts: "one\ntwo",
      key: "",
    });
    expect(patchOf(fields, draft, draft)).toEqual({});
  });

  test("sends the changed fields alone, in the types that the schema wants", () => {
    const changes = {
      most: "30",
      mode: "0",
      isOn: false,
      hosts: " one \n\nthree",
      ports: "80\n443",
      "mail.to": "a@b.example",
    };
    expect(patchOf(fields, draft, { ...draft, ...changes })).toEqual({
      ...{ most: 30, mode: "fast", isOn: false, hosts: ["one", "three"], ports: [80, 443] },
      mail: { to: "a@b.example" },
    });
  });

  test("sends null for what goes back to its default, and for a secret that is removed", () => {
    expect(patchOf(fields, draft, { ...draft, most: "", site: "", key: null, hosts: "" })).toEqual({
      ...{ most: null, site: null, key: null, hosts: [] },
    });
    expect(wholeOf(fields, { ...draft, most: "" })).toMatchObject({ most: 10 });
  });

  test("lets an empty text be empty where the schema takes one", () => {
    const filled = { ...draft, note: "words" };
    expect(patchOf(fields, filled, { ...filled, note: "" })).toEqual({ note: "" });
  });

  test("has nothing against what the server would take, a stored secret among it", () => {
    expect(check({})).toEqual({});
    expect(check({ link: "https://a.example" })).toEqual({});
    expect(Object.keys(check({}, { key: false }))).toEqual(["key"]);
    expect(Object.keys(check({ key: null }))).toEqual(["key"]);
  });

  test("says what is wrong beside the field, in lists with the line", () => {
    const found = check({
      ...{ site: "UPPER", most: "many", hosts: "one\nx", ports: "80\nhttp", link: "no link", key: "short" },
      "mail.copies": "2",
    });
    expect(Object.keys(found).toSorted()).toEqual(
      ["hosts", "key", "link", "mail.to", "most", "ports", "site"].toSorted(),
    );
    expect(found.hosts).toStartWith("Line 2: ");
    expect(found.ports).toStartWith("Line 2: ");
  });

  test("keeps the server's words about what it does not show", () => {
    const errors = [
      { path: "most", message: "Less" },
      { path: "hosts.1", message: "Longer" },
      { path: "elsewhere", message: "What?" },
    ];
    expect(placeErrors(fields, errors)).toEqual({
      placed: { most: "Less", hosts: "Line 2: Longer" },
      rest: ["What?"],
    });
  });
});

test("an empty field tells its default where it goes back to that, and nothing where empty is a value", () => {
  const [plain, long] = fieldsOf({
    type: "object",
    properties: {
      plain: { type: "string", default: "Hello" },
      long: { type: "string", minLength: 3, default: "Hello" },
    },
  });
  const empty = { plain: "", long: "" };
  expect(plain && defaultWhenEmpty(plain, empty)).toBeUndefined();
  expect(long && defaultWhenEmpty(long, empty)).toBe("Hello");
  expect(long && defaultWhenEmpty(long, { ...empty, long: "Hi" })).toBeUndefined();
});
