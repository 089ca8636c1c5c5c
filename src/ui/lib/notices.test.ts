import { expect, test } from "bun:test";
import { currentNotices, dismissNotice, notify } from "./notices.ts";

test("notices stand in order, four at most, and go one by one", () => {
  for (const message of ["1", "2", "3", "4", "5"]) notify({ tone: "info", message });
  expect(currentNotices().map(({ message }) => message)).toEqual(["2", "3", "4", "5"]);
  const [first] = currentNotices();
  if (first !== undefined) dismissNotice(first.id);
  expect(currentNotices().map(({ message }) => message)).toEqual(["3", "4", "5"]);
  for (const { id } of currentNotices()) dismissNotice(id);
  expect(currentNotices()).toEqual([]);
});
