import { expect, test } from "bun:test";
import { banComplaint } from "./bans-page.tsx";

test("numbers about bans are complained about where they are none, or the longest ban is shorter than the first", () => {
  const typed = { banAfterBlocks: "1", banWindowMinutes: "soon", banMinutes: "2000", banMostMinutes: "1440" };
  expect(banComplaint("banAfterBlocks", typed)).not.toBeNull();
  expect(banComplaint("banWindowMinutes", typed)).not.toBeNull();
  expect(banComplaint("banMinutes", typed)).toBeNull();
  expect(banComplaint("banMostMinutes", typed)).toBe("The longest ban must be at least as long as the first");
  expect(banComplaint("banMostMinutes", { ...typed, banMostMinutes: "2000" })).toBeNull();
});
