import { describe, expect, test } from "bun:test";
import { changesOf, withDraft } from "./country-draft.ts";

const saved = { mode: "deny" as const, codes: ["FR", "DE"] };

describe("countries that are not saved yet", () => {
  test("stand over what is saved, and only what differs is sent", () => {
    const draft = { mode: "deny" as const, codes: ["FR", "DE", "NZ"] };
    expect(withDraft(saved, draft)).toEqual(draft);
    expect(changesOf(saved, draft)).toEqual({ codes: ["FR", "DE", "NZ"] });
    expect(withDraft(saved, { mode: "off" })).toEqual({ mode: "off", codes: ["FR", "DE"] });
  });

  test("are no change when they were put back, in whatever order", () => {
    expect(changesOf(saved, { mode: "deny", codes: ["DE", "FR"] })).toEqual({});
    expect(changesOf(saved, {})).toEqual({});
    expect(changesOf(saved, { codes: ["DE", "NZ"] })).toEqual({ codes: ["DE", "NZ"] });
  });
});
