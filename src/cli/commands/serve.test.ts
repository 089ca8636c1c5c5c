import { expect, test } from "bun:test";
import { run } from "#cli/testing/run.ts";

const wrong: [string, string[], RegExp][] = [
  ["too many words", ["serve", "now"], /too many arguments/],
  ["an unknown option", ["serve", "--save-mode"], /unknown option '--save-mode'[\s\S]*--safe-mode/],
  ["a folder before it", ["--data-dir", "x", "serve", "now"], /too many arguments/],
];

test.each(wrong)("serve with %s is wrong usage", async (_, argv, words) => {
  const { code, out, err } = await run(argv);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(words);
});

test("serve tells with --json what is wrong as the other commands do", async () => {
  const { code, err } = await run(["serve", "now", "--json"]);
  expect(code).toBe(2);
  expect(JSON.parse(err)).toMatchObject({ success: false, code: "USAGE" });
});

test("the help of serve is the same with the other commands and without them", async () => {
  const alone = await run(["serve", "--help"]);
  expect(alone.out).toContain("--safe-mode");
  expect(alone.out).toContain("--data-dir <folder>");
  expect(await run(["--yes", "serve", "--help"])).toMatchObject({ code: 0, out: alone.out });
});
