import { expect, test } from "bun:test";
import { Glob } from "bun";
import { twMerge } from "tailwind-merge";
import { sized } from "#api/testing/size.ts";
import { mergeClasses } from "./cn.ts";

const sources = new URL("../", import.meta.url).pathname;

/** Whatever stands in the interface's texts and could be a class, without its variants. */
const utilities = async (): Promise<string[]> => {
  const found = new Set<string>();
  for (const file of new Glob("**/*.tsx").scanSync(sources)) {
    const text = await Bun.file(`${sources}${file}`).text();
    for (const [name] of text.matchAll(/[\w-][\w\-./%[\](),#&]*/g))
      if ((name.includes("-") && !name.includes(".ts")) || single.has(name)) found.add(name);
  }
  return [...found].filter((name) => !unmerged.test(name));
};
const single = new Set(
  "absolute block border contents fixed flex grid grow hidden inline relative shrink sticky table truncate underline".split(
    " ",
  ),
);

// Nothing overrides these from outside, so a list never has two of them.
const unmerged = /^-?(?:animate|align|delay|divide|duration|line-clamp|outline|ring|scale|shadow|transition)/;

test("of any two utilities of the interface one goes exactly where tailwind-merge lets it go", async () => {
  const names = await utilities();
  const differing: string[] = [];
  // Every fourth at the small size, in another row each time, so that all stand before and behind others.
  const step = sized(4, 1);
  for (const [at, one] of names.entries())
    for (const other of names.filter((_, index) => (index + at) % step === 0)) {
      const pair = `${one} ${other}`;
      if (one !== other && mergeClasses(pair) !== twMerge(pair)) differing.push(pair);
    }
  expect(names.length).toBeGreaterThan(300);
  expect(differing).toEqual([]);
}, 30_000);

test("classes with other variants, and classes that are not known, stay", () => {
  expect(mergeClasses("p-2 md:p-4 hover:p-1 p-3 brand")).toBe("md:p-4 hover:p-1 p-3 brand");
  expect(mergeClasses("[&_svg]:size-3 size-4 [&_svg]:size-5 brand brand")).toBe(
    "size-4 [&_svg]:size-5 brand brand",
  );
  expect(mergeClasses("data-[state=a:b]:px-2 data-[state=a:b]:p-1")).toBe("data-[state=a:b]:p-1");
});
