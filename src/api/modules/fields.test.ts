import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { kit } from "./kit.ts";

test("a day is one of the calendar, and one that the database has", () => {
  const days = [
    "2026-12-01",
    "2028-02-29",
    "2026-02-29",
    "2026-02-30",
    "0000-01-01",
    "2026-01-01T00:00:00Z",
    "",
  ];
  const right = days.filter((day) => Value.Check(kit.text({ format: "date" }), day));
  expect(right).toEqual(["2026-12-01", "2028-02-29"]);
});

test("a line has no break, nothing that shows nothing, and something that shows", () => {
  const line = kit.line({ most: 9, description: "A title", error: "Please enter a title" });
  const texts = ["Call Ada", " ❤\ufe0f ", "", " ", "a\nb", "a\u202eb", "\ue000a\ue001", "x".repeat(10)];
  expect(texts.filter((text) => Value.Check(line, text))).toEqual(["Call Ada", " ❤\ufe0f "]);
});
