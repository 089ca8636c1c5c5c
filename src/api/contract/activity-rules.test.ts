import { expect, test } from "bun:test";
import { newestSearched } from "./activity.ts";

test("a text is looked for in all activities when it has three letters or digits, and one of nothing is no search", () => {
  for (const text of ["abc", "a b c", "10.1", "äöü", "日本語", "x_1%y", "", "   "])
    expect([text, newestSearched(text)]).toEqual([text, null]);
});

test("a text of less is looked for in the newest 10,000", () => {
  for (const text of ["ab", "%_\\", "a.b", "-----", "1.1", " zq "])
    expect([text, newestSearched(text)]).toEqual([text, 10_000]);
});
