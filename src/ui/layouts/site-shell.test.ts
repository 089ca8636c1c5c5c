import { describe, expect, test } from "bun:test";
import { socialLinks } from "./site-shell.tsx";

const address = "https://atrium.example/?a=1&b=2#c";

describe("a social link of the footer", () => {
  for (const { label, href } of socialLinks) {
    test(`to ${label} carries the site's address whole`, () => {
      const url = new URL(href("Northwind", address));
      expect(["https:", "mailto:"]).toContain(url.protocol);
      const values = [...url.searchParams, ...new URLSearchParams(url.hash.slice(1))].map(
        ([, value]) => value,
      );
      expect(values.join(" ")).toContain(address);
    });

    test(`to ${label} works while the address is not known`, () => {
      expect(href("Northwind", "")).not.toContain("undefined");
      expect(URL.canParse(href("Northwind", ""))).toBe(true);
    });
  }
});
