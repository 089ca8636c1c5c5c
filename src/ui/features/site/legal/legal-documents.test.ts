import { describe, expect, test } from "bun:test";
import { limits } from "#contract/limits.ts";
import { contentId } from "#ui/lib/use-act.ts";
import { cookies } from "./cookies.ts";
import { privacy, privacyRetention } from "./privacy.ts";
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

  test("about privacy says what the activity log holds, and that it outlasts the account", () => {
    const log = JSON.stringify(privacy.sections.find(({ id }) => id === "activity"));
    for (const fact of ["email address", "IP address", "user agent", "kept when the account is deleted"])
      expect(log).toContain(fact);
    expect(privacyRetention.find(({ name }) => name === "Activity log")?.kept).toStartWith("forever");
  });

  test("about privacy names what the plugins that ship with the product store once they are on", () => {
    const all = JSON.stringify(privacy);
    for (const words of ["how fast pages load", "firewall", "off unless we enable it"])
      expect(all).toContain(words);
    expect(all).not.toContain("no analytics");
  });

  test("states the times that the server keeps", () => {
    const kept = (name: string) => {
      const entries = [...privacyRetention, ...cookies.sections.flatMap(({ blocks }) => blocks)].flatMap(
        (block) => (typeof block === "object" && "entries" in block ? block.entries : block),
      );
      return entries.flatMap((entry) =>
        typeof entry === "object" && "name" in entry && entry.name === name ? entry.kept : [],
      )[0];
    };
    for (const name of ["sid", "Session"])
      for (const ms of [limits.sessionMs, limits.sessionMostMs])
        expect(kept(name)).toContain(`${ms / dayMs} days`);
    expect(kept("pending")).toStartWith(`${limits.verificationTokenMs / 3_600_000} hours`);
    expect(kept("oauth")).toBe(`${limits.oauthStateMs / 60_000} minutes`);
    expect(kept("step")).toStartWith(`${limits.stepMs / 60_000} minutes`);
    expect(kept("Registration")).toBe(`${limits.verificationTokenMs / 3_600_000} hours`);
    expect(limits.deviceMs / dayMs).toBe(365);
    expect([kept("device"), kept("Known device")]).toEqual(["1 year", "1 year"]);
  });
});
