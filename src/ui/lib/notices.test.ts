import { expect, test } from "bun:test";
import { currentNotices, dismissNotice, notify } from "./notices.ts";

test("a notice brings along what can be done about it", () => {
  let isUndone = false;
  const run = () => {
    isUndone = true;
  };
  notify({ tone: "success", message: "Reverted", action: { label: "Undo", run } });
  const [notice] = currentNotices();
  notice?.action?.run();
  expect([notice?.action?.label, isUndone]).toEqual(["Undo", true]);
  dismissNotice(notice?.id ?? 0);
});

test("notices are in order, four at most, and disappear one by one", () => {
  for (const message of ["1", "2", "3", "4", "5"]) notify({ tone: "info", message });
  expect(currentNotices().map(({ message }) => message)).toEqual(["2", "3", "4", "5"]);
  const [first] = currentNotices();
  if (first !== undefined) dismissNotice(first.id);
  expect(currentNotices().map(({ message }) => message)).toEqual(["3", "4", "5"]);
  for (const { id } of currentNotices()) dismissNotice(id);
  expect(currentNotices()).toEqual([]);
});
