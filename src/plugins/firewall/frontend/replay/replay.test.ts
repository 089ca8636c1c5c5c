import { describe, expect, test } from "bun:test";
import type { Json } from "#plugins/sdk/types.ts";
import type { Switches } from "../../backend/wire.ts";
import { createCalls } from "../calls.ts";
import { emptyForm, isEmptyDraft, isSameDraft, type ReplayForm, switchOn, toDraft } from "./replay.ts";

const now: Switches = {
  ...{ masterSwitchEnabled: true, developmentModeEnabled: false, rateLimitingEnabled: true },
  ...{ patternsEnabled: true, paranoiaLevel: 1, threshold: 5, bansEnabled: true },
  ...{ banAfterBlocks: 20, banWindowMinutes: 10, banMinutes: 15, banMostMinutes: 1_440 },
};

const form: ReplayForm = {
  ...emptyForm,
  level: 2,
  countries: { mode: "deny", codes: ["FR"] },
  addresses: [
    { kind: "deny", address: "203.0.113.0/24" },
    { kind: "allow", address: "198.51.100.7" },
  ],
  rates: [{ path: "/api/*", max: 5, windowMs: 1_000 }],
};

const recorder = (refuses: string) => {
  const sent: [string, Json | undefined][] = [];
  const calls = createCalls(async (method, path, body) => {
    if (path === refuses)
      throw Object.assign(new Error(`${path} is refused`), { status: 422, code: "VALIDATION_FAILED" });
    sent.push([`${method} ${path}`, body]);
    return { success: true, message: "", data: {} };
  });
  return { calls, sent };
};

describe("switching a draft on", () => {
  test("lets people in before it keeps others out, and leaves an empty draft", async () => {
    const { calls, sent } = recorder("");
    const outcome = await switchOn(calls, { form, now, revision: async () => 7 });
    expect(outcome).toEqual({
      done: ["addresses", "switches", "rates", "countries"],
      left: emptyForm,
      failure: null,
    });
    expect(sent).toEqual([
      ["POST /addresses", { kind: "allow", address: "198.51.100.7" }],
      ["POST /addresses", { kind: "deny", address: "203.0.113.0/24" }],
      ["PUT /config", { paranoiaLevel: 2, revision: 7 }],
      ["POST /rates", { path: "/api/*", max: 5, windowMs: 1_000, isOn: true }],
      ["PUT /countries", { mode: "deny", codes: ["FR"], revision: 7 }],
    ]);
  });

  test("ends at the first refusal, and keeps in the draft what is not in force", async () => {
    const { calls } = recorder("/config");
    const { done, left, failure } = await switchOn(calls, { form, now, revision: async () => 7 });
    expect(done).toEqual(["addresses"]);
    expect(left).toEqual({ ...form, addresses: [] });
    expect(String(failure)).toContain("/config is refused");
  });

  test("writes nothing for what is as it was", async () => {
    const { calls, sent } = recorder("");
    await switchOn(calls, { form: { ...emptyForm, level: 1 }, now, revision: async () => 7 });
    expect(sent).toEqual([]);
  });
});

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
