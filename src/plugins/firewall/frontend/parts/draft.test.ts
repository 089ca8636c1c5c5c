import { describe, expect, test } from "bun:test";
import { changesOf } from "./draft.ts";

const saved = { mode: "deny", codes: ["FR", "DE"], threshold: "5" };

describe("what is not saved yet", () => {
  test("is only what differs from what is saved", () => {
    expect(changesOf(saved, { mode: "deny", codes: ["FR", "DE", "NZ"] })).toEqual({
      codes: ["FR", "DE", "NZ"],
    });
    expect(changesOf(saved, { mode: "off", threshold: "50" })).toEqual({ mode: "off", threshold: "50" });
    expect(changesOf(saved, { codes: ["DE", "NZ"] })).toEqual({ codes: ["DE", "NZ"] });
  });

  test("is nothing once it was put back, in whatever order and with whatever spaces", () => {
    expect(changesOf(saved, { mode: "deny", codes: ["DE", "FR"], threshold: " 5 " })).toEqual({});
    expect(changesOf(saved, {})).toEqual({});
  });
});
