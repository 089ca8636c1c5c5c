import { expect, test } from "bun:test";
import type { Pattern } from "./engine-types.ts";
import { makeSubject } from "./make-subject.ts";
import { createPrefilter } from "./prefilter.ts";

const pattern = (id: number, parts: Partial<Pattern>): Pattern => ({
  id,
  title: "",
  category: "protocol",
  paranoia: 1,
  severity: "low",
  view: "plain",
  find: () => null,
  ...parts,
});

const prefilter = createPrefilter([
  pattern(1, { needs: ["she", "hers"] }),
  pattern(2, { needs: ["he"] }),
  pattern(3, {}),
  pattern(4, { needs: ["union select"], view: "sql" }),
  pattern(5, { needs: ["x"], places: ["cookie"] }),
]);
const idsFor = (text: string): number[] =>
  prefilter(makeSubject("body", "", text))
    .map(({ id }) => id)
    .toSorted();

test("patterns are asked for texts that have what they need", () => {
  expect(idsFor("usher")).toEqual([1, 2, 3]);
  expect(idsFor("the")).toEqual([2, 3]);
  expect(idsFor("hi")).toEqual([3]);
  expect(idsFor("")).toEqual([3]);
  expect(idsFor("HERS")).toEqual([1, 2, 3]);
});

test("what a pattern needs is looked for in its own view", () => {
  expect(idsFor("union/**/select")).toEqual([3, 4]);
});

test("a pattern is not asked about places that are not its own", () => {
  expect(idsFor("x")).toEqual([3]);
  expect(
    prefilter(makeSubject("cookie", "", "x"))
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([3, 5]);
});
