import { describe, expect, test } from "bun:test";
import { activity } from "#cli/testing/activity.ts";
import { callsOf, run, success, type World } from "#cli/testing/run.ts";

const changed = activity(1_201, {
  action: "Changed the role of a user",
  description: "bob@example.com:\nuser\u001b[31m to admin",
  occurrences: 3,
  requestId: "a-request",
  changes: { before: { role: "user", limits: { max: 100 } }, after: { role: "admin", limits: { max: 100 } } },
});
const show = (argv: string[] = ["1201"], world: World = {}) =>
  run(["activity", "show", ...argv], { answer: () => success(changed), ...world });

describe("activity show", () => {
  test("asks for the activity of that number, however it is written", async () => {
    for (const typed of ["1201", "0001201"])
      expect(await callsOf(await show([typed]))).toEqual(["GET /api/admin/activity/1201"]);
  });

  test("prints a fact a line and what was changed, without what steers a terminal", async () => {
    const { out, code } = await show();
    expect(code).toBe(0);
    expect(out).toBe(
      "Number\t1201\nTime\t2026-11-20 18:40:12Z\nPlugin\tcore\nType\tadmin_action\n" +
        "Action\tChanged the role of a user\nDescription\tbob@example.com:\ufffduser\ufffd[31m to admin\n" +
        "Status\tsuccess\nSeverity\thigh\nDuration\t1.25s\nOccurrences\t3 times\nWho\tuser\nEmail\tada@example.com\n" +
        "User ID\t019a9f00-0000-7000-8000-000000000000\nIP address\t203.0.113.7\nUser agent\tnone\n" +
        "Request ID\ta-request\n\nrole\tuser\tadmin\n",
    );
  });

  test("on a terminal has headings for the change, and says so where something was made or is unknown", async () => {
    const made = activity(8, { userId: null, userEmail: null, changes: { before: null, after: 30 } });
    const { out } = await show(["8"], { isTerminal: true, answer: () => success(made) });
    const text = Bun.stripANSI(out);
    expect(text).toMatch(/\nFIELD +BEFORE +AFTER\nvalue +none +30\n$/);
    expect(text).toMatch(/\nEmail +none\n/);
    const plain = await show(["8"], { isTerminal: true, answer: () => success(activity(8)) });
    expect(plain.out).not.toContain("FIELD");
  });

  test.each([[[]], [["x"]], [["0"]], [["-1"]], [["1.5"]], [["1", "2"]]])(
    "%j is wrong usage, and nothing is asked",
    async (words) => {
      const outcome = await show(words);
      expect([outcome.code, outcome.out, outcome.calls]).toEqual([2, "", []]);
    },
  );
});
