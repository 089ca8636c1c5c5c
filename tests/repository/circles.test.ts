import { describe, expect, test } from "bun:test";
import { findCircles } from "./find-circles.ts";
import { aliases, sourceFiles } from "./source-files.ts";

const file = (name: string, text: string) => ({ path: `src/${name}.ts`, text });

/** Three files, the first of which imports the third through the second, by value and back by type. */
const planted = [
  file("one", `export { two } from "./two.ts";`),
  file("two", `import { three } from "#api/three.ts";\nexport const two = three;`),
  file("api/three", `import type { One } from "../one.ts";\nexport const three: One = 3;`),
];

describe("imports that lead back to their own file", () => {
  const files = sourceFiles("src");

  test("a circle is found, and one of types only where types are read", () => {
    expect(findCircles(planted, aliases, "type")).toEqual([["src/api/three.ts", "src/one.ts", "src/two.ts"]]);
    expect(findCircles(planted, aliases, "value")).toEqual([]);
    const back = file("api/three", `import { one } from "../one.ts";\nexport const three = one;`);
    expect(findCircles([...planted.slice(0, 2), back], aliases, "value")).toHaveLength(1);
  });

  test("no file needs itself in order to run", () => {
    expect(findCircles(files, aliases, "value")).toEqual([]);
  });

  test("at most two pairs of files know each other's types", () => {
    const circles = findCircles(files, aliases, "type");
    expect(circles.filter((paths) => paths.length > 2)).toEqual([]);
    expect(circles.length).toBeLessThanOrEqual(2);
  });
});
