import { describe, expect, test } from "bun:test";
import type { Switches } from "../../backend/wire.ts";
import { banChanges, banComplaints, banTyped } from "./ban-draft.ts";

const saved: Switches = {
  ...{ masterSwitchEnabled: true, developmentModeEnabled: false, rateLimitingEnabled: true },
  ...{ patternsEnabled: true, paranoiaLevel: 1, threshold: 5, bansEnabled: true },
  ...{ banAfterBlocks: 20, banWindowMinutes: 10, banMinutes: 15, banMostMinutes: 1_440 },
};

describe("the numbers that decide about bans", () => {
  test("are saved only where they differ", () => {
    const typed = banTyped(saved, { banAfterBlocks: "5", banMinutes: "15" });
    expect(banComplaints(typed)).toEqual({});
    expect(banChanges(saved, typed)).toEqual({ banAfterBlocks: 5 });
  });

  test("are complained about where they are none, and where the longest ban is shorter than the first", () => {
    const typed = banTyped(saved, { banAfterBlocks: "1", banMinutes: "2000", banWindowMinutes: "soon" });
    expect(Object.keys(banComplaints(typed)).sort()).toEqual([
      "banAfterBlocks",
      "banMostMinutes",
      "banWindowMinutes",
    ]);
  });
});
