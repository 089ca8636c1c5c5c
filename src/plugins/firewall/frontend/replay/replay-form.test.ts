import { describe, expect, test } from "bun:test";
import { emptyForm, isEmptyDraft, isSameDraft, toDraft } from "./replay-form.ts";

const now = { paranoiaLevel: 1, threshold: 5 } as const;

describe("a draft to be replayed", () => {
  test("is empty until something differs from what is in force", () => {
    expect(isEmptyDraft(toDraft(emptyForm, now))).toBe(true);
    expect(isEmptyDraft(toDraft({ ...emptyForm, level: 1, threshold: " 5 " }, now))).toBe(true);
    expect(isEmptyDraft(toDraft({ ...emptyForm, level: 2 }, now))).toBe(false);
  });

  test("says only what differs", () => {
    const countries = { mode: "deny" as const, codes: ["FR"] };
    const addresses = [{ kind: "deny" as const, address: "203.0.113.0/24" }];
    expect(toDraft({ ...emptyForm, level: 3, threshold: "5", countries, addresses }, now)).toEqual({
      switches: { paranoiaLevel: 3 },
      countries,
      addAddresses: addresses,
    });
  });

  test("is told from one that was changed since it ran", () => {
    const ran = toDraft({ ...emptyForm, level: 2 }, now);
    expect(isSameDraft(ran, toDraft({ ...emptyForm, level: 2 }, now))).toBe(true);
    expect(isSameDraft(ran, toDraft({ ...emptyForm, level: 2, threshold: "7" }, now))).toBe(false);
  });
});
