import { expect, test } from "bun:test";
import { createTestClock } from "#api/testing/clock.ts";
import { createPluginLogs } from "./plugin-reports.ts";

const begin = () => {
  const clock = createTestClock();
  return { clock, logs: createPluginLogs({ clock, replica: "here" }) };
};

test("lines come back oldest first, and only those that are not known yet", () => {
  const { logs, clock } = begin();
  logs.write("notes", "info", "first");
  logs.note("notes", "warn", "second");
  logs.write("other", "info", "elsewhere");
  const [first, second] = logs.read("notes", 0);
  expect([first, second]).toMatchObject([
    { level: "info", message: "first", replica: "here", at: clock.now().toISOString() },
    { level: "warn", message: "second" },
  ]);
  expect(logs.read("notes", first?.id ?? 0)).toMatchObject([{ message: "second" }]);
  expect(logs.read("notes", second?.id ?? 0)).toEqual([]);
});

test("a plugin writes a hundred lines a minute; of the others only the number is told", () => {
  const { logs, clock } = begin();
  for (let line = 0; line < 250; line += 1) logs.write("notes", "info", `line ${line}`);
  logs.note("notes", "error", "what the server says is always there");
  expect(logs.read("notes", 0)).toHaveLength(101);
  clock.advance(60_000);
  logs.write("notes", "info", "again");
  expect(logs.read("notes", 0).slice(-2)).toMatchObject([
    { level: "warn", message: "150 lines were dropped because the limit per minute was reached" },
    { message: "again" },
  ]);
});

test("a thousand lines are kept, and none is longer than 4 KB", () => {
  const { logs } = begin();
  for (let line = 0; line < 3_000; line += 1) logs.note("notes", "info", `${line} ${"x".repeat(5_000)}`);
  const lines = logs.read("notes", 0);
  expect(lines).toHaveLength(1_000);
  expect(lines.at(-1)?.message.slice(0, 4)).toBe("2999");
  expect(Math.max(...lines.map(({ message }) => message.length))).toBe(4_096);
});

test("a plugin that was forgotten starts over, with unused ids", () => {
  const { logs } = begin();
  logs.note("notes", "info", "former");
  const [former] = logs.read("notes", 0);
  logs.forget("notes");
  logs.note("notes", "info", "new");
  expect(logs.read("notes", former?.id ?? 0)).toMatchObject([{ message: "new" }]);
});
