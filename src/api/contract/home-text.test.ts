import { expect, test } from "bun:test";
import { builtInHomeText, homeSections, sectionTitle, withSectionUp } from "./home-text.ts";

const titlesOf = (text: string) => homeSections(text).sections.map(sectionTitle);
const text = "Hello\n\n## One ##\n\na\n\n### Part\n\n## Two\n\n```\n## no heading\n```\n\n## Three";

test("a home page has a section for each heading of the second level, and none for what is code", () => {
  expect(titlesOf(text)).toEqual(["One", "Two", "Three"]);
  expect(homeSections(text).lead).toBe("Hello");
  expect(homeSections("Only words")).toEqual({ lead: "Only words", sections: [] });
});

test("a section moves up with all that belongs to it, and the rest stays as it is", () => {
  const moved = withSectionUp(text, 2);
  expect(titlesOf(moved)).toEqual(["One", "Three", "Two"]);
  expect(moved).toStartWith(
    "Hello\n\n## One ##\n\na\n\n### Part\n\n## Three\n\n## Two\n\n```\n## no heading",
  );
  for (const at of [0, 3]) expect(titlesOf(withSectionUp(text, at))).toEqual(["One", "Two", "Three"]);
});

test("the built-in text names no program and leads to the contact page", () => {
  expect(titlesOf(builtInHomeText).length).toBe(6);
  expect(builtInHomeText).toContain("](/contact)");
  expect(builtInHomeText).not.toMatch(/atrium/i);
});
