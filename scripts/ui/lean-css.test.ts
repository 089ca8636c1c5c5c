import { expect, test } from "bun:test";
import { leanCss } from "./vite-plugins.ts";

const mix = "color-mix(in oklab, var(--primary) 10%, transparent)";
const known = "@supports (color:color-mix(in lab, red, red))";

test("of a color written twice, the one that supported browsers use stays", () => {
  expect(leanCss(`.a{color:var(--primary)}${known}{.a{color:${mix}}}`)).toBe(`.a{color:${mix}}`);
});

test("what the older form sets besides stays", () => {
  expect(leanCss(`.a{color:red;top:0}${known}{.a{color:${mix}}}`)).toBe(`.a{top:0}.a{color:${mix}}`);
});

test("a rule for other elements right before stays", () => {
  expect(leanCss(`.b{color:red}${known}{.a{color:${mix}}}`)).toBe(`.b{color:red}.a{color:${mix}}`);
});

test("initial values for browsers without @property go, and nothing else of that layer", () => {
  const old = "@supports ((-webkit-hyphens:none)) and (not (margin-trim:block)){*{--tw-a:0}}";
  expect(leanCss(`@layer properties{${old}}.a{top:0}`)).toBe(".a{top:0}");
  expect(leanCss("@layer properties{.a{top:0}}")).toBe("@layer properties{.a{top:0}}");
});

test("fallbacks are removed where the theme sets the value, and stay elsewhere", () => {
  const theme = "@layer theme{:root{--font:serif}}";
  const rule = (font: string) => `${theme}.a{font:${font};color:var(--own, red)}.b{--own:blue}`;
  expect(leanCss(rule("1rem var(--font, Arial, sans-serif)"))).toBe(rule("1rem var(--font)"));
});

test("other conditions stay", () => {
  const css = "@supports (anchor-scope:none){.a{top:0}}";
  expect(leanCss(css)).toBe(css);
});
