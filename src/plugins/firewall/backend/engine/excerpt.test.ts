import { expect, test } from "bun:test";
import { excerptOf } from "./excerpt.ts";

test("an excerpt shows what was found with a little around it, in one line of at most 120 characters", () => {
  expect(excerptOf("before it <script> after it", "<script>")).toBe("before it <script> after it");
  expect(excerptOf(`${"a".repeat(99)}<script>${"b".repeat(99)}`, "<script>")).toBe(
    `${"a".repeat(20)}<script>${"b".repeat(20)}`,
  );
  expect(excerptOf("x".repeat(500), "x".repeat(500))).toHaveLength(120);
  expect(excerptOf("a\u0000b\nc\u202ed", "b")).toBe("a b c d");
});
