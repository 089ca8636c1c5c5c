import { describe, expect, test } from "bun:test";
import {
  changedSettings,
  choice,
  defineSettings,
  duration,
  durationLabel,
  integer,
  storedValues,
  text,
  toggle,
  withChange,
  wordsOf,
} from "./define-settings.ts";

const section = defineSettings("accounts", {
  greeting: text({ default: "Hello", max: 10, label: "Greeting" }),
  note: text({ default: "", max: 10, mayBeEmpty: true, label: "Note" }),
  mode: choice({ default: "calm", options: { calm: "Calm", loud: "Loud" }, label: "Mode" }),
  limit: {
    most: integer({ default: 5, min: 1, max: 9, label: "Most" }),
    every: duration({ default: 60_000, options: [60_000, 3_600_000], label: "Every" }),
    enabled: toggle({ default: true, label: "Enabled" }),
  },
});
const { defaults } = section;

describe("a section of settings", () => {
  test("has the defaults of its settings, nested as they are declared", () => {
    expect(defaults).toEqual({
      ...{ greeting: "Hello", note: "", mode: "calm" },
      limit: { most: 5, every: 60_000, enabled: true },
    });
  });

  test.each([
    ["greeting", "", "Greeting must be 1 to 10 visible characters"],
    ["greeting", "12345678901", "Greeting must be 1 to 10 visible characters"],
    ["greeting", 1, "Greeting must be 1 to 10 visible characters"],
    ["note", "a\u0000", "Note must be at most 10 visible characters"],
    ["mode", "toString", "Please choose calm or loud"],
    ["mode", null, "Please choose calm or loud"],
    ["limit.most", 10, "Most must be a whole number from 1 to 9"],
    ["limit.most", "5", "Most must be a whole number from 1 to 9"],
    ["limit.every", 60_001, "Please choose 1m or 1h"],
    ["limit.enabled", "true", "Please choose yes or no"],
  ])("refuses %s %j, and says why", (path, value, message) => {
    const [own = "", inner] = path.split(".");
    const change = { [own]: inner === undefined ? value : { [inner]: value } };
    expect(withChange(section, defaults, change).errors).toEqual([{ path, message }]);
  });

  test("takes a change without the space around its texts, keeps the rest, and knows what differs", () => {
    const { values, errors } = withChange(section, defaults, {
      greeting: " Hi ",
      limit: { most: 9 },
      other: 1,
    });
    expect([errors, values]).toEqual([
      [],
      { ...defaults, greeting: "Hi", limit: { ...defaults.limit, most: 9 } },
    ]);
    expect(changedSettings(section, defaults, values)).toEqual([
      { path: "greeting", isSecret: false, before: "Hello", after: "Hi" },
      { path: "limit.most", isSecret: false, before: 5, after: 9 },
    ]);
  });

  test("reads a row from before a setting or a group was added, and one with more than it knows", () => {
    expect(storedValues(section, { mode: "loud", later: 1 })).toEqual({ ...defaults, mode: "loud" });
    expect(storedValues(section, { limit: { most: 7 } })?.limit).toEqual({ ...defaults.limit, most: 7 });
  });

  test.each([[null], [1], [[]], [{}], [{ later: 1 }], [{ limit: 1, mode: "loud" }], [{ mode: "never" }]])(
    "finds a row damaged that could not have been saved: %j",
    (row) => {
      expect(storedValues(section, row)).toBeNull();
    },
  );
});

test("a setting of few values has a word for each, and a length of time a name", () => {
  expect(section.settings.map(([path, setting]) => [path, ...wordsOf(setting)])).toEqual([
    ["greeting"],
    ["note"],
    ["mode", "calm", "loud"],
    ["limit.most"],
    ["limit.every", "1m", "1h"],
    ["limit.enabled", "true", "false"],
  ]);
  expect([60_000, 900_000, 3_600_000].map(durationLabel)).toEqual(["1 minute", "15 minutes", "1 hour"]);
});
