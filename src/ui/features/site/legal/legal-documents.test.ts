import { describe, expect, test } from "bun:test";
import { limits } from "#contract/limits.ts";
import { contentId } from "#ui/lib/use-route-change.ts";
import { cookies } from "./cookies.ts";
import { privacy } from "./privacy.ts";
import { privacyRetention } from "./privacy-retention.ts";
import { terms } from "./terms.ts";

const dayMs = 24 * 60 * 60 * 1000;

describe("a legal text", () => {
  for (const { path, sections } of [terms, privacy, cookies]) {
    test(`at ${path} has an address of its own for each section, and something in it`, () => {
      const ids = sections.map(({ id }) => id);
      expect(new Set([...ids, contentId]).size).toBe(ids.length + 1);
      for (const { blocks } of sections) expect(blocks.length).toBeGreaterThan(0);
    });
  }

  test("states the times that the server keeps", () => {
    const kept = (name: string) => {
      const entries = [...privacyRetention, ...cookies.sections.flatMap(({ blocks }) => blocks)].flatMap(
        (block) => (typeof block === "object" && "entries" in block ? block.entries : block),
      );
      return entries.flatMap((entry) =>
        typeof entry === "object" && "name" in entry && entry.name === name ? entry.kept : [],
      )[0];
    };
    expect(kept("sid")).toContain(`${limits.sessionMs / dayMs} days`);
    expect(kept("Session")).toContain(`${limits.sessionMs / dayMs} days`);
    expect(kept("oauth")).toBe(`${limits.oauthStateMs / 60_000} minutes`);
    expect(kept("Registration")).toBe(`${limits.verificationTokenMs / 3_600_000} hours`);
    expect(limits.deviceMs / dayMs).toBe(365);
    expect([kept("device"), kept("Known device")]).toEqual(["1 year", "1 year"]);
  });
});
