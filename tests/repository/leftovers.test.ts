import { afterEach, expect, spyOn, test } from "bun:test";
import { createLeftovers } from "../leftovers.ts";

const undone: (() => unknown)[] = [];
afterEach(() => {
  for (const undo of undone.splice(0)) undo();
});

/** What a second file is told when `change` happens in the first one's last test. */
const toldAfter = (change: () => () => unknown) => {
  const leftovers = createLeftovers();
  leftovers.before("a.test.ts");
  undone.push(change());
  leftovers.after();
  return leftovers.before("b.test.ts");
};

test.each([
  [
    "the variable LEFT_BEHIND",
    () => {
      process.env.LEFT_BEHIND = "1";
      return () => delete process.env.LEFT_BEHIND;
    },
  ],
  [
    "globalThis.leftBehind",
    () => {
      Reflect.set(globalThis, "leftBehind", 1);
      return () => Reflect.deleteProperty(globalThis, "leftBehind");
    },
  ],
  [
    "globalThis.fetch",
    () => {
      const spy = spyOn(globalThis, "fetch");
      return () => spy.mockRestore();
    },
  ],
  [
    "performance.now",
    () => {
      const spy = spyOn(performance, "now");
      return () => spy.mockRestore();
    },
  ],
  [
    "the working folder",
    () => {
      const former = process.cwd();
      process.chdir("/");
      return () => process.chdir(former);
    },
  ],
])("a file that changes %s for others is named", (name, change) => {
  expect(toldAfter(change)).toBe(`a.test.ts changes what the files after it find: ${name}`);
});

test("what a file puts back, and what the next one changes before its tests, is fine", () => {
  const leftovers = createLeftovers();
  leftovers.before("a.test.ts");
  const one = spyOn(performance, "now");
  leftovers.after();
  one.mockRestore();
  const other = spyOn(performance, "now");
  undone.push(() => other.mockRestore());
  expect(leftovers.before("b.test.ts")).toBeNull();
});

test("it is told once, not by every file that follows", () => {
  const leftovers = createLeftovers();
  leftovers.before("a.test.ts");
  process.env.LEFT_BEHIND = "1";
  undone.push(() => delete process.env.LEFT_BEHIND);
  leftovers.after();
  expect(leftovers.before("b.test.ts")).not.toBeNull();
  leftovers.after();
  expect(leftovers.before("c.test.ts")).toBeNull();
});
