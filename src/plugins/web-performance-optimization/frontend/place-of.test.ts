import { expect, test } from "bun:test";
import { placeOf } from "./performance-page.tsx";

test.each([
  ["", "visitors"],
  ["/", "visitors"],
  ["/switches", "switches"],
  ["/cache/", "cache"],
])("%p is the part %p", (path, place) => {
  expect(placeOf(path)).toBe(placeOf(place === "visitors" ? "" : `/${place}`));
  expect<string | null>(placeOf(path)).toBe(place);
});

test.each(["/nothing", "/switches/more", "/cached", "//switches"])("%p is no part", (path) => {
  expect(placeOf(path)).toBeNull();
});
